// Package raftwork does what a leader does, told by a channel of another package.
package raftwork

import (
	"database/sql"

	raftnode "fencelint.example/libraries/raft-node"
)

// Run works while this process is told that it leads.
func Run(n *raftnode.Node, db *sql.DB) {
	for up := range n.Leading {
		if up {
			db.Exec(`UPDATE stalls SET open = true WHERE id = 1`) // want "unfencedwrite"
		}
	}
}
