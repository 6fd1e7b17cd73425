// A server that speaks MySQL's protocol and SQL and keeps everything in memory, for tests.
package main

import (
	"crypto/tls"
	"log"
	"os"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
)

// Arguments: address, files of the certificate and its key, password of root.
func main() {
	pair, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	provider := memory.NewDBProvider()
	engine := sqle.NewDefault(provider)
	accounts := engine.Analyzer.Catalog.MySQLDb
	editor := accounts.Editor()
	accounts.SetPersister(&mysql_db.NoopPersister{})
	accounts.AddSuperUser(editor, "root", "%", os.Args[4])
	editor.Close()
	config := server.Config{
		Protocol:  "tcp",
		Address:   os.Args[1],
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
	}
	listening, err := server.NewServer(config, engine, sql.NewContext, memory.NewSessionBuilder(provider), nil)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(listening.Start())
}
