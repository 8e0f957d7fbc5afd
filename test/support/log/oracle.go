// oracle.go · says what golang.org/x/mod/sumdb (tlog, note) thinks of a log: one question a line of standard input, one answer a line of output.
// The answer is "ok", or why not. Forms of C2SP that these packages do not know are read here: paths of tiles, bundles, checkpoints, proof files.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Ask     string   // tree, entry, growth, checkpoint, cosigned, proof, live
	Folder  string   // of tiles, by their paths
	Size    int64    // of the tree
	Root    string   // of that tree
	OldSize int64    // of the tree that it grew from
	OldRoot string   // of that
	Index   int64    // of the entry
	Entry   []byte   // itself
	Proof   []string // hashes
	Text    string   // of a checkpoint or proof file
	Key     string   // verifier key of the log
	Witness string   // verifier key of a witness, Ed25519
	URL     string   // where a hill serves its log
	Entries [][]byte // that it must have
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var q question
		err := json.Unmarshal(lines.Bytes(), &q)
		if err == nil {
			err = answer(q)
		}
		if err != nil {
			fmt.Println(strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Println("ok")
		}
	}
}

func answer(q question) error {
	switch q.Ask {
	case "tree":
		return checkTree(q)
	case "entry":
		root, err := tlog.ParseHash(q.Root)
		if err != nil {
			return err
		}
		return checkEntry(q.Proof, q.Size, root, q.Index, q.Entry)
	case "growth":
		root, err := tlog.ParseHash(q.Root)
		if err != nil {
			return err
		}
		old, err := tlog.ParseHash(q.OldRoot)
		if err != nil {
			return err
		}
		proof, err := parseHashes(q.Proof)
		if err != nil {
			return err
		}
		return tlog.CheckTree(proof, q.Size, root, q.OldSize, old)
	case "checkpoint":
		tree, err := openCheckpoint(q.Text, q.Key)
		if err != nil {
			return err
		}
		if tree.N != q.Size || tree.Hash.String() != q.Root {
			return fmt.Errorf("the checkpoint says %d %v", tree.N, tree.Hash)
		}
		return nil
	case "cosigned":
		return checkCosigned(q)
	case "proof":
		return checkProofFile(q)
	case "live":
		return checkLive(q)
	}
	return fmt.Errorf("%q is no question", q.Ask)
}

func parseHashes(texts []string) ([]tlog.Hash, error) {
	hashes := []tlog.Hash{}
	for _, text := range texts {
		hash, err := tlog.ParseHash(text)
		if err != nil {
			return nil, err
		}
		if hash.String() != text { // its last bits are not zero
			return nil, errors.New("not the base64 of a hash")
		}
		hashes = append(hashes, hash)
	}
	return hashes, nil
}

func checkEntry(texts []string, size int64, root tlog.Hash, index int64, entry []byte) error {
	proof, err := parseHashes(texts)
	if err != nil {
		return err
	}
	return tlog.CheckRecord(tlog.RecordProof(proof), size, root, index, tlog.RecordHash(entry))
}

// A folder of tiles as a log serves them: tlog's own reader holds every one against the root.
type tiles string

func (tiles) Height() int { return 8 }

func (folder tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		data, err := os.ReadFile(filepath.Join(string(folder), pathOf(tile)))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// tlog names tiles "tile/8/0/x001/067" and bundles "tile/8/data/…"; C2SP leaves the height out and says "entries".
func pathOf(tile tlog.Tile) string {
	return strings.Replace(strings.Replace(tile.Path(), "tile/8/", "tile/", 1), "/data/", "/entries/", 1)
}

func checkTree(q question) error {
	root, err := tlog.ParseHash(q.Root)
	if err != nil {
		return err
	}
	// the tree as tlog builds it of the entries alone
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	for first := int64(0); first < q.Size; first += 256 {
		width := q.Size - first
		if width > 256 {
			width = 256
		}
		path := pathOf(tlog.Tile{H: 8, L: -1, N: first / 256, W: int(width)})
		bundle, err := os.ReadFile(filepath.Join(q.Folder, path))
		if err != nil {
			return err
		}
		for n := first; n < first+width; n++ {
			if len(bundle) < 2 || len(bundle) < 2+int(bundle[0])<<8+int(bundle[1]) {
				return fmt.Errorf("%s is too short", path)
			}
			length := int(bundle[0])<<8 + int(bundle[1])
			hashes, err := tlog.StoredHashes(n, bundle[2:2+length], reader)
			if err != nil {
				return err
			}
			stored = append(stored, hashes...)
			bundle = bundle[2+length:]
		}
		if len(bundle) > 0 {
			return fmt.Errorf("%s is too long", path)
		}
	}
	built, err := tlog.TreeHash(q.Size, reader)
	if err != nil {
		return err
	}
	if q.Size == 0 { // RFC 6962, 2.1; tlog says zeroes
		built, _ = tlog.ParseHash("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
	}
	if built != root {
		return fmt.Errorf("the root of %d entries is %v", q.Size, built)
	}
	if q.Size == 0 {
		return nil
	}
	// every tile, against that tree and by the reader of clients
	verified := tlog.TileHashReader(tlog.Tree{N: q.Size, Hash: root}, tiles(q.Folder))
	var leaves []int64
	for n := int64(0); n < q.Size; n++ {
		leaves = append(leaves, tlog.StoredHashIndex(0, n))
	}
	if _, err := verified.ReadHashes(leaves); err != nil {
		return err
	}
	for level, hashes := 0, q.Size; hashes > 0; level, hashes = level+1, hashes/256 {
		for n := int64(0); n*256 < hashes; n++ {
			tile := tlog.Tile{H: 8, L: level, N: n, W: 256}
			if hashes-n*256 < 256 {
				tile.W = int(hashes - n*256)
			}
			want, err := tlog.ReadTileData(tile, reader)
			if err != nil {
				return err
			}
			have, err := os.ReadFile(filepath.Join(q.Folder, pathOf(tile)))
			if err != nil {
				return err
			}
			if !bytes.Equal(want, have) {
				return fmt.Errorf("%s is another", pathOf(tile))
			}
		}
	}
	return nil
}

func openCheckpoint(text, key string) (tree tlog.Tree, err error) {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return tree, err
	}
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		return tree, err
	}
	// note takes base64 whose last bits are not zero
	for _, signature := range append(opened.Sigs, opened.UnverifiedSigs...) {
		if _, err := base64.StdEncoding.Strict().DecodeString(signature.Base64); err != nil {
			return tree, err
		}
	}
	lines := strings.Split(strings.TrimSuffix(opened.Text, "\n"), "\n")
	if len(lines) < 3 || lines[0] != verifier.Name() {
		return tree, errors.New("not a checkpoint of that origin")
	}
	tree.N, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(tree.N, 10) != lines[1] || tree.N < 0 {
		return tree, errors.New("not a size")
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

// The key of a witness, which note does not know (C2SP tlog-cosignature).
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(sig)
	signed := append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", time)), msg...)
	return time > 0 && ed25519.Verify(w.key, signed, sig[8:])
}

// Log and witness signed it, as note itself finds them in the text.
func checkCosigned(q question) error {
	log, err := note.NewVerifier(q.Key)
	if err != nil {
		return err
	}
	name, rest, _ := strings.Cut(q.Witness, "+")
	id, coded, _ := strings.Cut(rest, "+")
	key, err := base64.StdEncoding.Strict().DecodeString(coded)
	if err != nil || len(key) != 33 || key[0] != 4 {
		return errors.New("not the key of a witness")
	}
	sum := sha256.Sum256(append([]byte(name+"\n"), key...))
	hash := binary.BigEndian.Uint32(sum[:])
	if fmt.Sprintf("%08x", hash) != id {
		return errors.New("not the id of that key")
	}
	opened, err := note.Open([]byte(q.Text), note.VerifierList(log, witness{name, hash, key[1:]}))
	if err != nil {
		return err
	}
	if len(opened.Sigs) != 2 {
		return fmt.Errorf("%d of the two have signed", len(opened.Sigs))
	}
	return nil
}

func checkProofFile(q question) error {
	head, checkpoint, found := strings.Cut(q.Text, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return errors.New("not a proof file")
	}
	lines = lines[1:]
	if strings.HasPrefix(lines[0], "extra ") {
		if _, err := base64.StdEncoding.DecodeString(lines[0][6:]); err != nil {
			return err
		}
		lines = lines[1:]
	}
	if len(lines) == 0 || !strings.HasPrefix(lines[0], "index ") {
		return errors.New("no index")
	}
	index, err := strconv.ParseInt(lines[0][6:], 10, 64)
	if err != nil || strconv.FormatInt(index, 10) != lines[0][6:] {
		return errors.New("not an index")
	}
	tree, err := openCheckpoint(checkpoint, q.Key)
	if err != nil {
		return err
	}
	return checkEntry(lines[1:], tree.N, tree.Hash, index, q.Entry)
}

// The tiles of a log that is served.
type served string

func (served) Height() int { return 8 }

func (url served) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		data, err := url.get(pathOf(tile))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (served) SaveTiles([]tlog.Tile, [][]byte) {}

func (url served) get(path string) ([]byte, error) {
	response, err := http.Get(string(url) + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return io.ReadAll(response.Body)
}

// The checkpoint is signed and goes on from the older one (Text); every bundle has the entries of the tree; what must be there is, with a proof.
func checkLive(q question) error {
	log := served(q.URL)
	text, err := log.get("checkpoint")
	if err != nil {
		return err
	}
	tree, err := openCheckpoint(string(text), q.Key)
	if err != nil {
		return err
	}
	verified := tlog.TileHashReader(tree, log)
	if q.Text != "" {
		old, err := openCheckpoint(q.Text, q.Key)
		if err != nil {
			return err
		}
		if old.N > 0 {
			proof, err := tlog.ProveTree(tree.N, old.N, verified)
			if err != nil {
				return err
			}
			if err := tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash); err != nil {
				return err
			}
		}
	}
	at := map[string]int64{}
	for first := int64(0); first < tree.N; first += 256 {
		width := tree.N - first
		if width > 256 {
			width = 256
		}
		bundle, err := log.get(pathOf(tlog.Tile{H: 8, L: -1, N: first / 256, W: int(width)}))
		if err != nil {
			return err
		}
		for n := first; n < first+width; n++ {
			if len(bundle) < 2 || len(bundle) < 2+int(bundle[0])<<8+int(bundle[1]) {
				return errors.New("a bundle is too short")
			}
			length := int(bundle[0])<<8 + int(bundle[1])
			entry := bundle[2 : 2+length]
			bundle = bundle[2+length:]
			hashes, err := verified.ReadHashes([]int64{tlog.StoredHashIndex(0, n)})
			if err != nil {
				return err
			}
			if hashes[0] != tlog.RecordHash(entry) {
				return fmt.Errorf("entry %d is another", n)
			}
			at[string(entry)] = n
		}
		if len(bundle) > 0 {
			return errors.New("a bundle is too long")
		}
	}
	for _, entry := range q.Entries {
		index, found := at[string(entry)]
		if !found {
			return fmt.Errorf("no entry %q", entry)
		}
		proof, err := tlog.ProveRecord(tree.N, index, verified)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry)); err != nil {
			return err
		}
	}
	return nil
}
