//go:build unix

package servers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// StartPostgres starts a PostgreSQL with a database and a user postgres, without password.
func StartPostgres() (*Server, error) {
	return start("postgres", syscall.SIGINT, func(dir string, port int) (*exec.Cmd, error) {
		initdb, err := find("initdb")
		if err != nil {
			return nil, err
		}
		data := filepath.Join(dir, "data")
		init := exec.Command(initdb, "-D", data, "-A", "trust", "-U", "postgres", "-N", "--locale=C", "-E", "UTF8")
		if err := unprivileged(init, dir); err != nil {
			return nil, err
		}
		if out, err := init.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("initdb: %v: %s", err, out)
		}
		cmd := exec.Command(filepath.Join(filepath.Dir(initdb), "postgres"), "-D", data, "-p", strconv.Itoa(port),
			"-c", "listen_addresses=127.0.0.1", "-k", dir, "-c", "fsync=off", "-c", "full_page_writes=off",
			"-c", "synchronous_commit=off", "-c", "shared_buffers=16MB")
		return cmd, unprivileged(cmd, dir)
	})
}

// StartMariaDB starts a MariaDB with a database mysql and a user root, without password.
func StartMariaDB() (*Server, error) {
	return start("mariadb", syscall.SIGTERM, func(dir string, port int) (*exec.Cmd, error) {
		server, err := find("mariadbd")
		if err != nil {
			return nil, err
		}
		install, err := find("mariadb-install-db")
		if err != nil {
			return nil, err
		}
		args := []string{"--no-defaults", "--datadir=" + filepath.Join(dir, "data")}
		if os.Geteuid() == 0 {
			args = append(args, "--user=root")
		}
		init := exec.Command(install, append(args, "--auth-root-authentication-method=normal", "--skip-test-db")...)
		if out, err := init.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("mariadb-install-db: %v: %s", err, out)
		}
		return exec.Command(server, append(args, "--bind-address=127.0.0.1", "--port="+strconv.Itoa(port),
			"--socket="+filepath.Join(dir, "s"), "--pid-file="+filepath.Join(dir, "pid"), "--skip-name-resolve",
			"--innodb-buffer-pool-size=16M", "--innodb-flush-log-at-trx-commit=0")...), nil
	})
}

// StartRedis starts a Redis that keeps nothing on disk.
func StartRedis() (*Server, error) {
	return start("redis", syscall.SIGTERM, func(dir string, port int) (*exec.Cmd, error) {
		server, err := find("redis-server")
		if err != nil {
			return nil, err
		}
		return exec.Command(server, "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--save", "", "--appendonly", "no",
			"--dir", dir, "--logfile", filepath.Join(dir, "log")), nil
	})
}

// unprivileged makes cmd run as another user: PostgreSQL refuses to run as root.
func unprivileged(cmd *exec.Cmd, dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return err
		}
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	cmd.Dir = dir
	return os.Chown(dir, uid, gid)
}

// zooKeeper is where Debian puts the server; the manifest of the archive names the rest.
const zooKeeper = "/usr/share/java/zookeeper.jar"

// StartZooKeeper starts a ZooKeeper of one member, with sessions of one second and more.
func StartZooKeeper() (*Server, error) {
	s, err := start("zookeeper", syscall.SIGTERM, func(dir string, port int) (*exec.Cmd, error) {
		java, err := find("java")
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(zooKeeper); err != nil {
			return nil, err
		}
		config := filepath.Join(dir, "zoo.cfg")
		text := fmt.Sprintf("tickTime=500\ndataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n", filepath.Join(dir, "data"), port)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			return nil, err
		}
		return exec.Command(java, "-Xmx128m", "-Djava.security.egd=file:/dev/./urandom", "-cp", zooKeeper, "org.apache.zookeeper.server.ZooKeeperServerMain", config), nil
	})
	if err != nil {
		return nil, err
	}
	for range 600 { // it takes connections before it serves them
		if serving(s.Addr) {
			return s, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.Stop()
	return nil, errors.New("zookeeper: the server does not serve")
}

// serving asks a ZooKeeper for its mode, which it has once it serves.
func serving(addr string) bool {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
	if _, err := conn.Write([]byte("srvr")); err != nil {
		return false
	}
	answer, err := io.ReadAll(conn)
	return err == nil && bytes.Contains(answer, []byte("Mode:"))
}
