package drift

import "strings"

// never is the version of paths under which nothing is served: other paths of
// the same API, or old homes of a library. Their rows are not compared.
const never = "never"

// usedByDeclarations are packages of the standard library whose types the rows'
// functions take and return.
var usedByDeclarations = []string{"context", "database/sql", "io", "net/http", "sync", "time"}

// sources are the modules whose declarations are read as text: former import
// paths, which no longer build with present dependencies, and libraries whose
// compilation would cost more than it tells. The first prefix that fits counts.
var sources = []struct{ prefix, module, version string }{
	{"go.etcd.io/etcd/v3/clientv3", "", never}, // never released; the declarations of the next
	{"go.etcd.io/etcd/etcdserver", "go.etcd.io/etcd", "v3.3.27+incompatible"},
	{"go.etcd.io/etcd/clientv3", "go.etcd.io/etcd", "v3.3.27+incompatible"},
	{"go.etcd.io/etcd/mvcc", "go.etcd.io/etcd", "v3.3.27+incompatible"},
	{"github.com/coreos/etcd", "github.com/coreos/etcd", "v3.3.27+incompatible"},
	{"github.com/go-redsync/redsync/v3", "github.com/go-redsync/redsync/v3", "v3.1.0"},
	{"github.com/go-redsync/redsync/v4", "", "current"},
	{"github.com/go-redsync/redsync", "github.com/go-redsync/redsync", "v1.4.2"},
	{"gopkg.in/redsync.v1", "", never}, // not served any more
	{"github.com/hjr265/redsync.go/redsync", "", never},
	{"github.com/samuel/go-zookeeper/zk", "github.com/samuel/go-zookeeper", "v0.0.0-20201211165307-7117e9ea2414"},
	{"github.com/jackc/pgx/v4", "github.com/jackc/pgx/v4", "v4.18.3"},
	{"github.com/jackc/pgconn", "github.com/jackc/pgconn", "v1.14.3"},
	{"github.com/go-redis/redis/v9", "", never}, // pre-releases only
	{"github.com/go-redis/redis/v8", "github.com/go-redis/redis/v8", "v8.11.5"},
	{"github.com/stripe/stripe-go", "", never}, // the paths with a version are patterns
	{"gorm.io/gorm", "gorm.io/gorm", "v1.31.2"},
	{"github.com/jinzhu/gorm", "github.com/jinzhu/gorm", "v1.9.16"},
	{"github.com/Masterminds/squirrel", "github.com/Masterminds/squirrel", "v1.5.4"},
	{"gopkg.in/Masterminds/squirrel.v1", "", never},
	{"github.com/uptrace/bun", "github.com/uptrace/bun", "v1.3.0"},
	{"github.com/doug-martin/goqu/v9", "github.com/doug-martin/goqu/v9", "v9.19.0"},
	{"xorm.io/xorm", "xorm.io/xorm", "v1.4.3"},
	{"github.com/go-xorm/xorm", "", never},
	{"github.com/go-pg/pg/v10", "github.com/go-pg/pg/v10", "v10.11.0"},
	{"github.com/go-pg/pg", "", never},
	{"github.com/aarondl/sqlboiler/v4", "github.com/aarondl/sqlboiler/v4", "v4.19.5"},
	{"github.com/volatiletech/sqlboiler", "", never},
	{"entgo.io/ent", "entgo.io/ent", "v0.14.5"},
	{"github.com/facebook/ent", "", never},
	{"github.com/facebookincubator/ent", "", never},
	{"github.com/beego/beego", "", never},
	{"github.com/astaxie/beego", "", never},
	{"github.com/upper/db", "", never},
	{"go.mongodb.org/mongo-driver/v2", "go.mongodb.org/mongo-driver/v2", "v2.10.0"},
	{"go.mongodb.org/mongo-driver", "go.mongodb.org/mongo-driver", "v1.17.4"},
	{"github.com/aws/aws-sdk-go-v2/service/dynamodb", "github.com/aws/aws-sdk-go-v2/service/dynamodb", "v1.74.0"},
	{"github.com/aws/aws-sdk-go-v2/service/s3", "github.com/aws/aws-sdk-go-v2/service/s3", "v1.114.10"},
	{"github.com/aws/aws-sdk-go-v2/feature/s3/manager", "github.com/aws/aws-sdk-go-v2/feature/s3/manager", "v1.23.24"},
	{"github.com/aws/aws-sdk-go", "github.com/aws/aws-sdk-go", "v1.55.8"},
	{"github.com/guregu/dynamo/v2", "github.com/guregu/dynamo/v2", "v2.1.1"},
	{"github.com/minio/minio-go/v7", "github.com/minio/minio-go/v7", "v7.4.1"},
	{"cloud.google.com/go/storage", "cloud.google.com/go/storage", "v1.70.0"},
	{"github.com/marcacohen/gcslock", "", never},
	{"github.com/mco-gh/gcslock", "", never},
	{"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob", "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob", "v1.8.3"},
	{"github.com/go-redis/redis/v7", "github.com/go-redis/redis/v7", "v7.4.1"},
	{"gopkg.in/redis.v5", "", never},
	{"github.com/go-redis/redis", "github.com/go-redis/redis", "v6.15.9+incompatible"},
	{"github.com/gomodule/redigo", "github.com/gomodule/redigo", "v1.9.3"},
	{"github.com/garyburd/redigo", "github.com/garyburd/redigo", "v0.0.0-20150301180006-535138d7bcd7"},
	{"github.com/redis/rueidis", "github.com/redis/rueidis", "v1.0.79"},
	{"github.com/rueian/rueidis", "", never},
	{"github.com/valkey-io/valkey-go", "github.com/valkey-io/valkey-go", "v1.0.79"},
	{"github.com/zeromicro/go-zero", "github.com/zeromicro/go-zero", "v1.10.3"},
	{"github.com/tal-tech/go-zero", "", never},
	{"github.com/bradfitz/gomemcache", "github.com/bradfitz/gomemcache", "v0.0.0-20260422231931-4d751bb6e37c"},
	{"github.com/alessandro-c/gomemcached-lock", "", never},
	{"k8s.io/client-go/dynamic", "k8s.io/client-go", "v0.37.2"},
	{"k8s.io/apimachinery", "", never},
	{"sigs.k8s.io/controller-runtime", "sigs.k8s.io/controller-runtime", "v0.25.2"},
	{"cirello.io/pglock", "cirello.io/pglock", "v1.16.1"},
	{"github.com/allisson/go-pglock", "", never},
	{"cirello.io/dynamolock/v5", "", never},
	{"cirello.io/dynamolock/v2", "cirello.io/dynamolock/v2", "v2.0.3"},
	{"cirello.io/dynamolock", "cirello.io/dynamolock", "v1.4.0"},
	{"github.com/hashicorp/raft", "github.com/hashicorp/raft", "v1.8.0"},
	{"github.com/nats-io/nats.go", "github.com/nats-io/nats.go", "v1.55.0"},
	{"github.com/nats-io/go-nats", "", never},
	{"github.com/IBM/sarama", "github.com/IBM/sarama", "v1.61.1"},
	{"github.com/Shopify/sarama", "github.com/Shopify/sarama", "v1.38.1"},
	{"github.com/twmb/franz-go", "github.com/twmb/franz-go", "v1.22.3"},
	{"github.com/confluentinc/confluent-kafka-go/v2", "github.com/confluentinc/confluent-kafka-go/v2", "v2.11.1"},
	{"github.com/confluentinc/confluent-kafka-go/kafka", "", never},
	{"github.com/segmentio/kafka-go", "github.com/segmentio/kafka-go", "v0.4.51"},
	{"github.com/rabbitmq/amqp091-go", "github.com/rabbitmq/amqp091-go", "v1.9.0"},
	{"github.com/streadway/amqp", "github.com/streadway/amqp", "v1.1.0"},
	{"github.com/aws/aws-sdk-go-v2/service/sqs", "github.com/aws/aws-sdk-go-v2/service/sqs", "v1.53.0"},
	{"github.com/aws/aws-sdk-go-v2/service/sns", "github.com/aws/aws-sdk-go-v2/service/sns", "v1.48.0"},
	{"cloud.google.com/go/internal/pubsub", "", never},
	{"cloud.google.com/go/pubsub", "cloud.google.com/go/pubsub", "v1.52.0"},
	{"github.com/apache/pulsar-client-go", "github.com/apache/pulsar-client-go", "v0.19.0"},
	{"github.com/hibiken/asynq", "github.com/hibiken/asynq", "v0.26.0"},
	{"github.com/riverqueue/river", "github.com/riverqueue/river", "v0.51.2"},
	{"github.com/go-co-op/gocron/v2", "github.com/go-co-op/gocron/v2", "v2.21.2"},
	{"github.com/go-co-op/gocron-redis-lock/v2", "github.com/go-co-op/gocron-redis-lock/v2", "v2.0.1"},
	{"github.com/go-co-op/gocron-redis-lock", "", never},
	{"github.com/go-co-op/gocron-etcd-elector", "", never},
	{"github.com/go-co-op/gocron-gorm-lock", "", never},
	{"github.com/go-co-op/gocron", "github.com/go-co-op/gocron", "v1.37.0"},
	{"github.com/gochore/dcron", "", never},
	{"github.com/caddyserver/certmagic", "github.com/caddyserver/certmagic", "v0.25.6"},
	{"github.com/mholt/certmagic", "", never},
	{"github.com/hazelcast/hazelcast-go-client", "github.com/hazelcast/hazelcast-go-client", "v1.5.0"},
	{"github.com/hashicorp/nomad/api", "github.com/hashicorp/nomad/api", "v0.0.0-20261016150620-df630b26e78a"},
	{"github.com/hashicorp/vault/sdk", "github.com/hashicorp/vault/sdk", "v0.25.1"},
	{"github.com/openbao/openbao", "", never},
	{"github.com/dapr/go-sdk", "github.com/dapr/go-sdk", "v1.11.0"},
	{"github.com/werf/lockgate", "github.com/werf/lockgate", "v0.1.1"},
	{"github.com/square/mongo-lock", "", never},
	{"github.com/kvtools/valkeyrie", "", never},
	{"github.com/abronan/valkeyrie", "", never},
	{"github.com/docker/libkv", "", never},
	{"github.com/curator-go/curator", "", never},
	{"github.com/flier/curator.go", "", never},
	{"github.com/minio/dsync", "", never},
	{"github.com/micro/go-micro/v2", "github.com/micro/go-micro/v2", "v2.9.1"},
	{"github.com/asim/go-micro", "", never},
	{"github.com/tikv/pd/client", "github.com/tikv/pd/client", "v0.0.0-20260609141937-b01426f6b08b"},
	{"github.com/flowerinthenight/spindle", "", never},
	{"github.com/Scalingo/go-etcd-lock", "", never},
	{"github.com/moira-alert/moira", "", never},
	{"github.com/pressly/goose/v3", "github.com/pressly/goose/v3", "v3.30.1"},
	{"github.com/golang-migrate/migrate/v4", "github.com/golang-migrate/migrate/v4", "v4.20.1"},
}

// sourceOf returns the module whose text declares a package; none for packages
// from export data. Version never says that there is nothing to compare with.
func sourceOf(path string) (module, version string) {
	for _, s := range sources {
		if path == s.prefix || strings.HasPrefix(path, s.prefix+"/") {
			return s.module, s.version
		}
	}
	return "", ""
}
