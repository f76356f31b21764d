// Command gendoc writes docs/libraries.md from the built-in models. Run it through
// `go generate ./internal/catalogue`.
package main

import (
	"log"
	"os"

	"github.com/fencelint/fencelint/internal/catalogue"
	"github.com/fencelint/fencelint/model"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gendoc: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: gendoc FILE")
	}
	text, err := catalogue.Page(model.Builtin())
	if err == nil {
		err = os.WriteFile(os.Args[1], []byte(text), 0o666)
	}
	if err != nil {
		log.Fatal(err)
	}
}
