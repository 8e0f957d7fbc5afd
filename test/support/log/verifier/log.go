// Logs: their checkpoints, entries and trees, and how one follows another. 20.2 to 20.8, 20.12.
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// One of the logs of /api/log.
type listedLog struct {
	Origin, Checkpoint, Tiles string
	Keys                      []string
	Handover                  *string
}

func has(logs []listedLog, origin string) bool {
	for _, log := range logs {
		if log.Origin == origin {
			return true
		}
	}
	return false
}

// A log as it was read.
type readLog struct {
	verifier note.Verifier
	before   int64 // entries of the logs before it
	head     tlog.Tree
	hashes   []tlog.Hash
}

func (l *readLog) root(size int64) (tlog.Hash, error) {
	if size == 0 { // RFC 6962, 2.1; tlog says zeroes
		return tlog.Hash(sha256.Sum256(nil)), nil
	}
	if tlog.StoredHashCount(size) > int64(len(l.hashes)) {
		return tlog.Hash{}, errors.New("the log is shorter")
	}
	return tlog.TreeHash(size, tlog.HashReaderFunc(l.stored))
}

func (l *readLog) stored(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		found = append(found, l.hashes[index])
	}
	return found, nil
}

func (l *readLog) begins(tree tlog.Tree) bool {
	root, err := l.root(tree.N)
	return err == nil && root == tree.Hash
}

func (v *verification) readLog(listed listedLog, last bool, nights []night) error {
	pins, known := v.seen[listed.Origin]
	key := pins.Key
	if len(listed.Keys) == 0 {
		return fmt.Errorf("%s shows no key", listed.Origin)
	}
	if !known {
		key = listed.Keys[0] // Ed25519 first
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return fmt.Errorf("the key of %s: %v", listed.Origin, err)
	}
	text, err := v.from(pathOf(listed.Checkpoint))
	if err != nil {
		return err
	}
	head, err := openCheckpoint(string(text), verifier)
	if err == nil && verifier.Name() != listed.Origin {
		err = errors.New("its origin is another")
	}
	if err != nil {
		return fmt.Errorf("the checkpoint of %s: %v", listed.Origin, err)
	}
	v.held++
	for _, other := range listed.Keys[1:] {
		v.check(isThere(string(text), other), "%s has no signature of its ML-DSA-44 key", listed.Origin)
		v.note("The ML-DSA-44 signature of %s is there, and not checked: Go's packages have no ML-DSA.", listed.Origin)
	}
	for _, w := range v.witnesses {
		if last {
			v.check(len(cosignedAt(string(text), w)) > 0, "%s did not sign the last checkpoint", w.name)
		}
	}
	log := &readLog{verifier: verifier, before: v.entries.size, head: head}
	v.logs[listed.Origin] = log
	all, err := v.bundles(log, pathOf(listed.Tiles))
	if err != nil {
		return err
	}
	v.check(log.begins(head) && int64(len(all)) == head.N, "the entries of %s are not those of its checkpoint", listed.Origin)
	for _, pin := range pins.Checkpoints {
		old, err := openCheckpoint(pin, verifier)
		v.check(err == nil && log.begins(old), "%s does not begin with a checkpoint that was seen", listed.Origin)
	}
	v.checkHandOver(listed, key, all, known)
	for _, entry := range all {
		v.entries.add(entry)
	}
	return nil
}

// The address of another server is that of the same page here.
func pathOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "/"
	}
	return parsed.Path
}

// All entries, as far as they are there. C2SP tlog-tiles.
func (v *verification) bundles(log *readLog, address string) ([]string, error) {
	var all []string
	for first := int64(0); first < log.head.N; first += 256 {
		width := log.head.N - first
		if width > 256 {
			width = 256
		}
		name := tlog.Tile{H: 8, L: -1, N: first / 256, W: int(width)}.Path()
		bundle, err := v.from(address + strings.Replace(name, "tile/8/data/", "tile/entries/", 1))
		if errors.Is(err, errMissing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for len(bundle) > 0 {
			if len(bundle) < 2 || len(bundle) < 2+int(binary.BigEndian.Uint16(bundle)) {
				break
			}
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			entry := bundle[2:end]
			bundle = bundle[end:]
			hashes, err := tlog.StoredHashes(int64(len(all)), entry, tlog.HashReaderFunc(log.stored))
			if err != nil {
				return nil, err
			}
			log.hashes = append(log.hashes, hashes...)
			all = append(all, string(entry))
		}
		if len(bundle) > 0 {
			break
		}
	}
	return all, nil
}

// 20.2: the first entry of a log that follows another names the last head of that one, whose key names its own. A log
// that was seen before is followed all the same.
func (v *verification) checkHandOver(listed listedLog, key string, all []string, seen bool) {
	origin := listed.Origin
	var before *readLog
	for name, log := range v.logs {
		if name != origin && (before == nil || log.before >= before.before) {
			before = log
		}
	}
	if before == nil {
		return
	}
	name := before.verifier.Name()
	last := fmt.Sprintf("log %s %d %x", name, before.head.N, before.head.Hash[:])
	wrong := ""
	if len(all) == 0 || all[0] != last {
		wrong = "does not name its last head"
	} else if listed.Handover != nil {
		opened, err := note.Open([]byte(*listed.Handover), note.VerifierList(before.verifier))
		if err != nil || opened.Text != fmt.Sprintf("hill log handover\n%s\n%s\n", name, key) {
			wrong = "is not named by its key"
		}
	} else {
		wrong = "is not named by its key"
	}
	if seen && wrong != "" {
		v.note("%s follows %s, and %s.", origin, name, wrong)
		return
	}
	v.check(wrong == "", "%s follows %s, and %s", origin, name, wrong)
}

// C2SP tlog-checkpoint: origin, size, root, and lines that it may have besides.
func parseCheckpoint(text string) (origin string, tree tlog.Tree, err error) {
	body, _, found := cutLast(text, "\n\n")
	lines := strings.Split(body, "\n")
	if !found || len(lines) < 3 || lines[0] == "" {
		return "", tree, errors.New("not a checkpoint")
	}
	tree.N, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil || tree.N < 0 || strconv.FormatInt(tree.N, 10) != lines[1] {
		return "", tree, errors.New("not a size")
	}
	root, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != len(tree.Hash) {
		return "", tree, errors.New("not a root")
	}
	copy(tree.Hash[:], root)
	return lines[0], tree, nil
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return text, "", false
	}
	return text[:at], text[at+len(separator):], true
}

func openCheckpoint(text string, verifier note.Verifier) (tlog.Tree, error) {
	opened, err := note.Open([]byte(text), note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	// note takes base64 whose last bits are not zero
	for _, signature := range append(opened.Sigs, opened.UnverifiedSigs...) {
		if _, err := base64.StdEncoding.Strict().DecodeString(signature.Base64); err != nil {
			return tlog.Tree{}, err
		}
	}
	origin, tree, err := parseCheckpoint(text)
	if err == nil && origin != verifier.Name() {
		err = errors.New("a checkpoint of another origin")
	}
	return tree, err
}

// The key of a witness, which note does not know. C2SP tlog-cosignature.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func newWitness(text string) (w witness, err error) {
	name, hash, key, err := parseKey(text)
	if err == nil && (key[0] != 4 || len(key) != 33) {
		err = errors.New("not an Ed25519 key of a witness: nothing else can be checked here")
	}
	return witness{name, hash, ed25519.PublicKey(key)[1:]}, err
}

// C2SP signed-note: name+id+key, where the first byte of the key is its type.
func parseKey(text string) (name string, hash uint32, key []byte, err error) {
	fields := strings.SplitN(text, "+", 3)
	if len(fields) != 3 {
		return "", 0, []byte{0}, errors.New("not a verifier key")
	}
	key, err = base64.StdEncoding.Strict().DecodeString(fields[2])
	sum := sha256.Sum256(append([]byte(fields[0]+"\n"), key...))
	hash = binary.BigEndian.Uint32(sum[:])
	if err != nil || len(key) == 0 || fmt.Sprintf("%08x", hash) != fields[1] {
		return "", 0, []byte{0}, errors.New("not a verifier key")
	}
	return fields[0], hash, key, nil
}

// An ML-DSA-44 cosignature: behind the time are 2,420 bytes. Whether it holds is not looked at.
func isThere(text, key string) bool {
	name, hash, raw, err := parseKey(key)
	if err != nil || raw[0] != 6 || len(raw) != 1+1312 {
		return false
	}
	for _, signature := range signaturesOf(text, name, hash) {
		if len(signature) == 8+2420 {
			return true
		}
	}
	return false
}

// What a key signed, behind its id.
func signaturesOf(text, name string, hash uint32) [][]byte {
	_, signatures, _ := cutLast(text, "\n\n")
	var found [][]byte
	for _, line := range strings.Split(signatures, "\n") {
		fields := strings.Split(line, " ")
		if len(fields) != 3 || fields[1] != name {
			continue
		}
		signature, err := base64.StdEncoding.Strict().DecodeString(fields[2])
		if err == nil && len(signature) >= 4 && binary.BigEndian.Uint32(signature) == hash {
			found = append(found, signature[4:])
		}
	}
	return found
}

// Seconds since 1970: when it says that it saw a checkpoint. Of a witness with a signature that does not hold, nothing.
func cosignedAt(text string, w witness) []int64 {
	body, _, _ := cutLast(text, "\n\n")
	var times []int64
	for _, signature := range signaturesOf(text, w.name, w.hash) {
		if len(signature) != 8+ed25519.SignatureSize {
			return nil
		}
		time := binary.BigEndian.Uint64(signature)
		signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s\n", time, body)
		if !ed25519.Verify(w.key, []byte(signed), signature[8:]) {
			return nil
		}
		times = append(times, int64(time))
	}
	return times
}
