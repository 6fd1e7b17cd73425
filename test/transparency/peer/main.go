// Reads trees as JSON on standard input, one per line, and says of each what the tlog of Go's checksum database makes of
// it. Built beside copies of the packages tlog and note.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"peer/note"
	"peer/tlog"
)

type tree struct {
	Entries     []string
	Root        tlog.Hash
	Index       int64
	Inclusion   tlog.RecordProof
	First       int64
	FirstRoot   tlog.Hash
	Consistency tlog.TreeProof
	Tiles       map[string][]byte
	Note        string
	VerifierKey string
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func check(given tree) {
	size := int64(len(given.Entries))
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := make([]tlog.Hash, len(indexes))
		for n, index := range indexes {
			hashes[n] = stored[index]
		}
		return hashes, nil
	})
	for n, entry := range given.Entries {
		hashes, err := tlog.StoredHashes(int64(n), []byte(entry), reader)
		must(err)
		stored = append(stored, hashes...)
	}
	root, err := tlog.TreeHash(size, reader)
	must(err)
	if root != given.Root {
		must(fmt.Errorf("another root"))
	}
	must(tlog.CheckRecord(given.Inclusion, size, root, given.Index, tlog.RecordHash([]byte(given.Entries[given.Index]))))
	must(tlog.CheckTree(given.Consistency, size, root, given.First, given.FirstRoot))
	for path, bytes := range given.Tiles {
		// The packages know the paths of the checksum database, which name the height as well.
		tile, err := tlog.ParseTilePath("tile/8/" + path[len("tile/"):])
		must(err)
		expected, err := tlog.ReadTileData(tile, reader)
		must(err)
		if string(expected) != string(bytes) {
			must(fmt.Errorf("another tile %s", path))
		}
	}
	verifier, err := note.NewVerifier(given.VerifierKey)
	must(err)
	opened, err := note.Open([]byte(given.Note), note.VerifierList(verifier))
	must(err)
	fmt.Printf("%d %s", size, opened.Text)
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	decoder := json.NewDecoder(input)
	for decoder.More() {
		var given tree
		must(decoder.Decode(&given))
		check(given)
	}
}
