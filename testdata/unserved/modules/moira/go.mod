module github.com/moira-alert/moira

go 1.26.0
