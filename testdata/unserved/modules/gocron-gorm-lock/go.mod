module github.com/go-co-op/gocron-gorm-lock/v2

go 1.26.0
