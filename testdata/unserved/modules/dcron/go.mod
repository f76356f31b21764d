module github.com/gochore/dcron

go 1.26.0
