// Nights: their entries, files, results and closings. 20.8 to 20.10, 20.44, 20.45.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Where an entry stands: its number over all logs, from 1, and the run of entries in order that it is of. 20.47.
type position struct{ number, run int64 }

type nightEntry struct {
	position
	engine, result string
}

type entries struct {
	size, run     int64
	last          string
	engines, keys map[string]bool
	nights        map[int][]nightEntry
	files         map[int][]string
	seals         map[int][]string
	deposits      map[int]map[string]position
	announcements map[int]map[string]position
}

func newEntries() *entries {
	return &entries{
		engines: map[string]bool{}, keys: map[string]bool{}, nights: map[int][]nightEntry{}, files: map[int][]string{},
		seals:    map[int][]string{},
		deposits: map[int]map[string]position{}, announcements: map[int]map[string]position{},
	}
}

// 20.8: what is of no known kind is passed over.
func (e *entries) add(entry string) {
	e.size++
	order := "0" + entry
	if strings.HasPrefix(entry, "announcement ") {
		order = "1" + entry
	}
	if order < e.last {
		e.run++
	}
	e.last = order
	at := position{e.size, e.run}
	fields := append(strings.Split(entry, " "), "", "", "")
	day, _ := strconv.Atoi(fields[1])
	switch fields[0] {
	case "deposit":
		keep(e.deposits, day, fields[2], at)
	case "announcement":
		keep(e.announcements, day, fields[2], at)
	case "receipt-key":
		e.keys[fields[1]] = true
	case "engine":
		e.engines[fields[1]] = true
	case "night":
		e.nights[day] = append(e.nights[day], nightEntry{at, fields[2], fields[3]})
	case "file":
		e.files[day] = append(e.files[day], fields[2])
	case "closed", "unsealed":
		e.seals[day] = append(e.seals[day], strings.Replace(entry, " "+fields[1], "", 1))
	}
}

func keep(all map[int]map[string]position, day int, commitment string, at position) {
	if all[day] == nil {
		all[day] = map[string]position{}
	}
	all[day][commitment] = at
}

func firstDay(all map[int]map[string]position) int {
	first := 1 << 30
	for day := range all {
		if day < first {
			first = day
		}
	}
	return first
}

// A night of /api/days.
type night struct {
	Day        int
	Moves      int
	ResolvedAt string
	Closed     *struct {
		Origin    string
		At        string
		Size      int64
		Witnesses []struct{ Key string }
	}
	Unsealed *string
}

func (v *verification) publishedNights() ([]night, error) {
	var all []night
	for address := "/api/days"; address != ""; {
		var page struct {
			Days       []night
			NextCursor *json.RawMessage `json:"next_cursor"`
		}
		if err := v.json(address, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Days...)
		address = ""
		if page.NextCursor != nil {
			address = "/api/days?cursor=" + strings.Trim(string(*page.NextCursor), `"`)
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].Day < all[b].Day })
	return all, nil
}

// Returns what opened, by day.
func (v *verification) checkNights(nights []night) map[int]*openings {
	published := map[int]bool{}
	firstClosed := 0
	for _, one := range nights {
		published[one.Day] = true
		if one.Closed != nil && firstClosed == 0 {
			firstClosed = one.Day
		}
	}
	first, last := firstDay(v.entries.deposits), 0
	if announced := firstDay(v.entries.announcements); announced < first {
		first = announced
	}
	for day, lines := range v.entries.nights {
		v.check(published[day], "the log has night %d, which is not published", day)
		v.check(len(lines) == 1, "the log has night %d %d times", day, len(lines))
		if day > last {
			last = day
		}
		if day < first {
			first = day
		}
	}
	for day, lines := range v.entries.files {
		v.check(len(lines) == 1, "the log has the file of night %d %d times", day, len(lines))
	}
	for day, lines := range v.entries.seals {
		v.check(len(lines) == 1, "the log has %d times how night %d was sealed", len(lines), day)
	}
	opened := map[int]*openings{}
	for _, one := range nights {
		if len(v.entries.nights[one.Day]) == 0 {
			// before the log, or waiting for the next quarter hour
			v.check(one.Day < first || one.Day > last, "the log has nothing of night %d", one.Day)
			continue
		}
		found, err := v.checkNight(one, firstClosed)
		v.check(err == nil, "night %d: %v", one.Day, err)
		if found != nil {
			opened[one.Day] = found
		}
	}
	return opened
}

func hashOf(parts ...[]byte) string {
	sum := sha256.New()
	for _, part := range parts {
		sum.Write(part)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (v *verification) checkNight(one night, firstClosed int) (*openings, error) {
	logged := v.entries.nights[one.Day][0]
	engine, err := v.from("/source/" + logged.engine)
	v.check(err == nil && hashOf(engine) == logged.engine && v.entries.engines[logged.engine], "night %d: another engine", one.Day)
	text, err := v.shownResult(one.Day)
	if err != nil {
		return nil, err
	}
	v.check(hashOf([]byte(text)) == logged.result, "night %d: another result than the log has", one.Day)
	if err := v.checkClosing(one, logged, firstClosed); err != nil {
		return nil, err
	}
	data, err := v.from(fmt.Sprintf("/api/day/%d/night.json", one.Day))
	if err != nil {
		return nil, err
	}
	if hashes := v.entries.files[one.Day]; len(hashes) > 0 { // it may wait for the next quarter hour
		v.check(hashOf(data) == hashes[0], "night %d: another night file than the log has", one.Day)
	}
	var file nightFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("its night file: %v", err)
	}
	v.check(len(file.Moves) == one.Moves, "night %d: its night file has %d moves, not %d", one.Day, len(file.Moves), one.Moves)
	if err := v.checkAnnouncements(one.Day, file, logged); err != nil {
		return nil, err
	}
	return v.checkMoves(one.Day, file, logged)
}

// The text of 20.10, of what /api/day/n shows.
func (v *verification) shownResult(day int) (string, error) {
	var shown struct {
		Results []struct {
			Slot, Outcome, PeaceCount, WarCount, BurnedCents interface{}
			Occupants                                        *[]struct {
				AccountID, DaysHeld, Via interface{}
				Points                   float64
			}
		}
	}
	if err := v.json(fmt.Sprintf("/api/day/%d?limit=1", day), &shown); err != nil {
		return "", err
	}
	text := fmt.Sprintf("day %d\n", day)
	for _, place := range shown.Results {
		text += lineOf("place", place.Slot, place.Outcome, place.PeaceCount, place.WarCount, place.BurnedCents)
		if place.Occupants == nil {
			return "", fmt.Errorf("night %d: a place is not of its form", day)
		}
		for _, seat := range *place.Occupants {
			text += lineOf("seat", place.Slot, seat.AccountID, seat.DaysHeld, seat.Via, fmt.Sprintf("%.1f", seat.Points))
		}
	}
	return text, nil
}

func lineOf(parts ...interface{}) string {
	var texts []string
	for _, part := range parts {
		texts = append(texts, textOf(part))
	}
	return strings.Join(texts, " ") + "\n"
}

// 20.8: what the log says of a night that says this of itself, without the day.
func (v *verification) sealOf(one night) string {
	if one.Closed != nil {
		root := ""
		if log := v.logs[one.Closed.Origin]; log != nil {
			if hash, err := log.root(one.Closed.Size); err == nil {
				root = hex.EncodeToString(hash[:])
			}
		}
		return fmt.Sprintf("closed %s %d %s", one.Closed.Origin, one.Closed.Size, root)
	}
	if one.Unsealed != nil && *one.Unsealed != "" {
		return "unsealed " + hashOf([]byte(*one.Unsealed))
	}
	return ""
}

// What two clocks may differ by.
const skew = 5 * time.Second

func (v *verification) checkClosing(one night, logged nightEntry, firstClosed int) error {
	deposits := v.entries.deposits[one.Day]
	if lines := v.entries.seals[one.Day]; len(lines) > 0 {
		v.check(lines[0] == v.sealOf(one), "night %d: the log says of how it was sealed: %s", one.Day, lines[0])
	}
	if one.Unsealed != nil && *one.Unsealed != "" {
		v.note("Night %d is UNSEALED: %s", one.Day, *one.Unsealed)
		return nil
	}
	if one.Closed == nil {
		if len(deposits) == 0 {
			return nil
		}
		v.check(firstClosed == 0 || one.Day < firstClosed, "night %d has deposits and no closing", one.Day)
		return nil
	}
	text, err := v.from(fmt.Sprintf("/log/closing/%d", one.Day))
	log := v.logs[one.Closed.Origin]
	if err != nil || log == nil {
		v.check(false, "night %d: there is no closing of %s", one.Day, one.Closed.Origin)
		return nil
	}
	tree, err := openCheckpoint(string(text), log.verifier)
	if !v.check(err == nil && tree.N == one.Closed.Size && log.begins(tree), "night %d: not its closing: %v", one.Day, err) {
		return nil
	}
	end := log.before + tree.N
	for commitment, at := range deposits {
		v.check(at.number <= end, "night %d: the deposit %s is not in the closing", one.Day, commitment)
	}
	v.check(logged.number > end, "night %d was in the log before its day was closed", one.Day)
	rung, err := time.Parse(time.RFC3339, one.ResolvedAt)
	if err != nil {
		return err
	}
	if _, err := time.Parse(time.RFC3339, one.Closed.At); err != nil {
		return err
	}
	asked := v.witnesses
	for _, named := range one.Closed.Witnesses {
		w, err := newWitness(named.Key)
		if err != nil {
			return err
		}
		if len(v.witnesses) == 0 {
			asked = append(asked, w)
		}
	}
	for _, w := range asked {
		times := cosignedAt(string(text), w)
		if !v.check(len(times) > 0, "%s did not sign the closing of day %d", w.name, one.Day) || v.simulated {
			continue
		}
		sort.Slice(times, func(a, b int) bool { return times[a] > times[b] })
		v.check(!time.Unix(times[0], 0).After(rung.Add(skew)), "%s saw the closing of day %d after its night", w.name, one.Day)
	}
	return nil
}
