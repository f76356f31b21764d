module github.com/alessandro-c/gomemcached-lock

go 1.26.0
