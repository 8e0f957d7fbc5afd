// A second verifier of a hill, in Go, written from docs/rules.md 20 and the pages of a hill alone: what it and "npm run verify" say of a hill must
// be the same. It resolves no night: that is the engine's. Comments cite the rules.
//
//	verifier [-receipts file] [-witness key]... [-seen file] https://hill.example | folder of an archive (20.48)
//	verifier -archive https://mirror.example   for an archive that a web server serves (20.50)
//	verifier -   reads such arguments as JSON, a list a line, and answers each line with the list of what is wrong
//
// The exit status is 0 only if all of it holds.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "-" {
		answerLines()
		return
	}
	r, err := verify(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, note := range r.noted {
		fmt.Println("      ", note)
	}
	for _, sentence := range r.wrong {
		fmt.Println("WRONG ", sentence)
	}
	if len(r.wrong) > 0 {
		os.Exit(1)
	}
	fmt.Printf("%d checks hold.\n", r.held)
}

func answerLines() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var args []string
		err := json.Unmarshal(lines.Bytes(), &args)
		wrong := []string{}
		if err == nil {
			var r *report
			if r, err = verify(args); err == nil {
				wrong = append(wrong, r.wrong...)
			}
		}
		if err != nil {
			wrong = append(wrong, err.Error())
		}
		answer, _ := json.Marshal(wrong)
		fmt.Println(string(answer))
	}
}

// What was found: sentences of what does not hold, and of what is no check.
type report struct {
	wrong, noted []string
	held         int
}

func (r *report) check(holds bool, wrong string, values ...interface{}) bool {
	if holds {
		r.held++
	} else {
		r.wrong = append(r.wrong, fmt.Sprintf(wrong, values...))
	}
	return holds
}

func (r *report) note(what string, values ...interface{}) {
	r.noted = append(r.noted, fmt.Sprintf(what, values...))
}

type several []string

func (s *several) String() string { return strings.Join(*s, " ") }
func (s *several) Set(value string) error {
	*s = append(*s, value)
	return nil
}

// One hill, and all that is known of it.
type verification struct {
	*report
	from      source
	simulated bool
	witnesses []witness
	seen      map[string]pinned
	receipts  []string
	entries   *entries
	logs      map[string]*readLog
}

// Of a log, from a time before: 20.14.
type pinned struct {
	Key         string   `json:"key"`
	Checkpoints []string `json:"checkpoints"`
}

func verify(args []string) (*report, error) {
	flags := flag.NewFlagSet("verifier", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	var keys, receipts several
	flags.Var(&keys, "witness", "")
	flags.Var(&receipts, "receipts", "")
	seen := flags.String("seen", "", "")
	archive := flags.Bool("archive", false, "")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if flags.NArg() != 1 {
		return nil, errors.New("say which hill")
	}
	v := &verification{report: &report{}, from: sourceOf(flags.Arg(0), *archive), entries: newEntries(), logs: map[string]*readLog{}}
	for _, key := range keys {
		w, err := newWitness(key)
		if err != nil {
			return nil, err
		}
		v.witnesses = append(v.witnesses, w)
	}
	if *seen != "" {
		text, err := os.ReadFile(*seen)
		if err == nil {
			err = json.Unmarshal(text, &v.seen)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, file := range receipts {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		v.receipts = append(v.receipts, string(text))
	}
	if err := v.run(); err != nil {
		v.check(false, "%v", err)
	}
	return v.report, nil
}

func (v *verification) run() error {
	var about struct {
		Simulated bool
		Logs      []listedLog
	}
	if err := v.json("/api/log", &about); err != nil {
		return err
	}
	if len(about.Logs) == 0 {
		return errors.New("no log is signed")
	}
	v.simulated = about.Simulated
	nights, err := v.publishedNights()
	if err != nil {
		return err
	}
	for origin := range v.seen {
		v.check(has(about.Logs, origin), "the log %s is not shown any more", origin)
	}
	// the one that grows is first (20.2)
	for n := len(about.Logs) - 1; n >= 0; n-- {
		if err := v.readLog(about.Logs[n], n == 0, nights); err != nil {
			return err
		}
	}
	opened := v.checkNights(nights)
	v.checkReceipts(about.Logs, opened)
	return nil
}

// Where the pages of a hill come from: a path with its query.
type source func(path string) ([]byte, error)

var errMissing = errors.New("is not there")

func sourceOf(address string, archive bool) source {
	if strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://") {
		return func(path string) ([]byte, error) {
			if archive {
				path = (&url.URL{Path: fileOf(path)}).EscapedPath()
			}
			answer, err := http.Get(strings.TrimSuffix(address, "/") + path)
			if err != nil {
				return nil, err
			}
			defer answer.Body.Close()
			if answer.StatusCode != http.StatusOK {
				return nil, fmt.Errorf("%s %w: %s", path, errMissing, answer.Status)
			}
			return io.ReadAll(answer.Body)
		}
	}
	return func(path string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(address, fileOf(path)))
		if errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%s %w", path, errMissing)
		}
		return data, err
	}
}

// 20.48.
func fileOf(address string) string {
	name, query, asked := strings.Cut(address, "?")
	ending := ""
	if strings.HasPrefix(name, "/api/") && path.Ext(name) == "" {
		ending = ".json"
	}
	if asked {
		name += "@" + query
	}
	return path.Clean("/" + name + ending)
}

func (v *verification) json(path string, into interface{}) error {
	data, err := v.from(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s is not of its form: %v", path, err)
	}
	return nil
}
