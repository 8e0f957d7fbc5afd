// What opens deposits and announcements, and receipts of them. 20.15 to 20.22, 20.46, 20.47.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

type nightFile struct {
	Moves    []map[string]interface{}
	Accounts []map[string]interface{}
}

// Commitments that opened, and what these have of those that they end.
type openings struct{ opened, ends map[string]bool }

// What everybody reads in place of words that staff hide.
const hiddenWords = "[hidden by staff]"

// As a line of a text that is hashed has it: nothing of what is not there.
func textOf(value interface{}) string {
	switch value := value.(type) {
	case string:
		return value
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return ""
}

func commitment(lines ...interface{}) string {
	text := ""
	for _, line := range lines {
		text += lineOf(line)
	}
	return hashOf([]byte(text))
}

func (v *verification) lines(path string, each func(line map[string]interface{}) error) error {
	data, err := v.from(path)
	if err != nil {
		return err
	}
	for _, text := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		if len(data) == 0 {
			break
		}
		var line map[string]interface{}
		if err := json.Unmarshal(text, &line); err != nil {
			return fmt.Errorf("%s: %v", path, err)
		}
		if err := each(line); err != nil {
			return err
		}
	}
	return nil
}

func accountOf(line map[string]interface{}) (interface{}, error) {
	occupant, ok := line["occupant"].(map[string]interface{})
	if !ok {
		return nil, errors.New("a line has no occupant")
	}
	return occupant["accountId"], nil
}

// The words are those that were sealed, or are not told (20.19, 20.47).
func (v *verification) checkWords(which string, message interface{}, opening map[string]interface{}) {
	salt, salted := opening["message_salt"].(string)
	words, said := message.(string)
	if salted && said {
		bytes, err := hex.DecodeString(salt)
		v.check(err == nil && hashOf(bytes, []byte(words)) == opening["message_hash"], "%s: other words", which)
		return
	}
	v.check(!said || words == hiddenWords, "%s: words that were not sealed", which)
}

func (v *verification) checkMoves(day int, file nightFile, logged nightEntry) (*openings, error) {
	first := firstDay(v.entries.deposits)
	if day < first {
		return nil, nil
	}
	accounts := map[interface{}]map[string]interface{}{}
	for _, account := range file.Accounts {
		accounts[account["account"]] = account
	}
	shown := map[interface{}]map[string]interface{}{}
	count := 0
	err := v.lines(fmt.Sprintf("/api/day/%d/moves.ndjson", day), func(line map[string]interface{}) error {
		count++
		shown[line["seq"]] = line
		return nil
	})
	if err != nil {
		return nil, err
	}
	v.check(count == len(file.Moves), "night %d: %d moves are shown, and its night file has %d", day, count, len(file.Moves))
	found := &openings{map[string]bool{}, map[string]bool{}}
	for _, move := range file.Moves {
		which := fmt.Sprintf("night %d: the %v of %v on place %v", day, move["move"], move["account"], move["slot"])
		line := shown[move["seq"]]
		if !v.check(line != nil, "%s is not shown", which) {
			continue
		}
		account, err := accountOf(line)
		if err != nil {
			return nil, err
		}
		same := account == move["account"]
		for _, field := range []string{"slot", "move", "stake_cents", "at"} {
			same = same && line[field] == move[field]
		}
		for _, field := range []string{"reputation", "since"} {
			same = same && line[field] == accounts[account][field]
		}
		v.check(same, "%s is shown otherwise", which)
		opening, ok := line["opening"].(map[string]interface{})
		if !ok {
			// of the first day some may be from before the log
			v.check(day == first, "%s is not opened", which)
			continue
		}
		sealed := commitment("hill deposit", float64(day), move["account"], move["slot"], move["move"], move["stake_cents"],
			opening["message_hash"], move["at"], opening["ends"], opening["salt"])
		at, there := v.entries.deposits[day][sealed]
		v.check(there && at.number < logged.number, "%s opens to no deposit that is in the log before the night", which)
		v.check(!found.opened[sealed], "%s opens to what another opens to", which)
		found.opened[sealed] = true
		found.ends[textOf(opening["ends"])] = true
		v.checkWords(which, line["message"], opening)
	}
	for sealed, at := range v.entries.deposits[day] {
		v.check(at.number < logged.number, "the deposit %s of day %d is behind the night", sealed, day)
	}
	return found, nil
}

// 6.3, by what was announced and what was played.
var verdicts = map[string]string{
	"PEACE PEACE": "kept", "PEACE WAR": "betrayed", "PEACE ": "ghosted",
	"WAR PEACE": "bluffed", "WAR WAR": "kept", "WAR ": "ghosted",
	"PASS PEACE": "bluffed", "PASS WAR": "betrayed", "PASS ": "kept",
}

func (v *verification) checkAnnouncements(day int, file nightFile, logged nightEntry) error {
	first := firstDay(v.entries.announcements)
	if day < first {
		return nil
	}
	played := map[string]string{}
	for _, move := range file.Moves {
		played[fmt.Sprint(move["account"], " ", move["slot"])] = textOf(move["move"])
	}
	opened := map[string]bool{}
	err := v.lines(fmt.Sprintf("/api/day/%d/announcements.ndjson", day), func(line map[string]interface{}) error {
		account, err := accountOf(line)
		if err != nil {
			return err
		}
		which := fmt.Sprintf("day %d: what %v announced on place %v", day, account, line["slot"])
		verdict := verdicts[textOf(line["intention"])+" "+played[fmt.Sprint(account, " ", line["slot"])]]
		v.check(line["verdict"] == verdict, "%s was not %v", which, line["verdict"])
		opening, ok := line["opening"].(map[string]interface{})
		if !ok {
			v.check(day == first, "%s is not opened", which)
			return nil
		}
		sealed := commitment("hill announcement", float64(day), account, line["slot"], line["intention"],
			opening["message_hash"], line["at"], opening["salt"])
		at, there := v.entries.announcements[day][sealed]
		v.check(there && (at.number < logged.number || at.run == logged.run), "%s opens to no announcement in time", which)
		v.check(!opened[sealed], "%s opens to what another opens to", which)
		opened[sealed] = true
		v.checkWords(which, line["message"], opening)
		return nil
	})
	if err != nil {
		return err
	}
	for sealed := range v.entries.announcements[day] {
		v.check(opened[sealed], "the announcement %s of day %d is not shown", sealed, day)
	}
	return nil
}

var jws = regexp.MustCompile(`\b(eyJ[\w-]+)\.(eyJ[\w-]+)\.([\w-]+)`)

// What an account was told of a deposit of its own: 20.21.
type own struct{ commitment, salt, ends, move string }

func ownDeposits(value interface{}, found []own) []own {
	switch value := value.(type) {
	case []interface{}:
		for _, one := range value {
			found = ownDeposits(one, found)
		}
	case map[string]interface{}:
		if values := stringsOf(value, "commitment", "salt", "ends", "move"); values != nil {
			found = append(found, own{values[0], values[1], values[2], values[3]})
		}
		for _, one := range value {
			found = ownDeposits(one, found)
		}
	}
	return found
}

func stringsOf(value map[string]interface{}, names ...string) []string {
	var all []string
	for _, name := range names {
		text, ok := value[name].(string)
		if !ok {
			return nil
		}
		all = append(all, text)
	}
	return all
}

func decoded(part string, into interface{}) error {
	data, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// 20.17, 20.18, 20.22.
func (v *verification) checkReceipts(logs []listedLog, nights map[int]*openings) {
	var all []own
	receipts := map[string][]string{}
	for _, text := range v.receipts {
		for _, found := range jws.FindAllStringSubmatch(text, -1) {
			receipts[found[0]] = found
		}
		for _, line := range append(strings.Split(text, "\n"), text) {
			var value interface{}
			if json.Unmarshal([]byte(line), &value) == nil {
				all = ownDeposits(value, all)
			}
		}
	}
	if len(receipts) == 0 {
		return
	}
	keys, err := v.receiptKeys()
	if !v.check(err == nil, "the keys of receipts: %v", err) {
		return
	}
	for _, found := range receipts {
		if why := v.whyNotKept(found, logs, keys, all, nights); why != "" {
			v.check(false, "the receipt %.60s…: %s", found[0], why)
		} else {
			v.held++
		}
	}
}

// Those that their names are the thumbprints of (RFC 7638).
func (v *verification) receiptKeys() (map[string]ed25519.PublicKey, error) {
	var set struct {
		Keys []struct{ Kid, Kty, Crv, X string }
	}
	if err := v.json("/log/receipt-keys", &set); err != nil {
		return nil, err
	}
	keys := map[string]ed25519.PublicKey{}
	for _, key := range set.Keys {
		sum := sha256.Sum256([]byte(fmt.Sprintf(`{"crv":"%s","kty":"%s","x":"%s"}`, key.Crv, key.Kty, key.X)))
		x, err := base64.RawURLEncoding.DecodeString(key.X)
		if err == nil && len(x) == 32 && key.Kty == "OKP" && key.Crv == "Ed25519" && base64.RawURLEncoding.EncodeToString(sum[:]) == key.Kid {
			keys[key.Kid] = x
		}
	}
	return keys, nil
}

func (v *verification) whyNotKept(jws []string, logs []listedLog, keys map[string]ed25519.PublicKey, all []own, nights map[int]*openings) string {
	var head struct{ Alg, Typ, Kid string }
	var body struct {
		Iss         string
		Day         int
		Commitment  string
		DepositedAt string `json:"deposited_at"`
	}
	if err := decoded(jws[1], &head); err != nil {
		return err.Error()
	}
	if head.Typ != "" && head.Typ != "hill-receipt+jwt" {
		return "" // another token
	}
	if err := decoded(jws[2], &body); err != nil {
		return err.Error()
	}
	signature, err := base64.RawURLEncoding.DecodeString(jws[3])
	if err != nil || head.Typ == "" || head.Alg != "EdDSA" {
		return "it is not of the form of a receipt"
	}
	key, shown := keys[head.Kid]
	if !shown || !ed25519.Verify(key, []byte(jws[1]+"."+jws[2]), signature) || !issued(body.Iss, logs) {
		return "no key of this hill signed it"
	}
	logged, resolved := v.entries.nights[body.Day]
	if !v.entries.keys[head.Kid] {
		if resolved {
			return "the log does not name its key"
		}
		return "" // it waits for the next batch
	}
	if !resolved {
		return ""
	}
	at, there := v.entries.deposits[body.Day][body.Commitment]
	if !there || at.number > logged[0].number {
		return "its deposit is not in the log before the night"
	}
	night := nights[body.Day]
	if night == nil || night.opened[body.Commitment] {
		return ""
	}
	for _, mine := range all {
		if mine.commitment != body.Commitment {
			continue
		}
		salt, _ := hex.DecodeString(mine.salt)
		sealed, _ := hex.DecodeString(mine.commitment)
		ending := hashOf(salt, sealed)
		if mine.move == "PASS" || night.ends[ending] {
			return ""
		}
		for _, next := range all {
			if _, logged := v.entries.deposits[body.Day][next.commitment]; logged && next.ends == ending {
				return ""
			}
		}
	}
	return "it was not opened, and nothing that was told ended it"
}

// The host and /log: without the number that a later log has.
func issued(iss string, logs []listedLog) bool {
	for _, log := range logs {
		if log.Origin == iss || regexp.MustCompile(`^`+regexp.QuoteMeta(iss)+`/[1-9][0-9]*$`).MatchString(log.Origin) {
			return true
		}
	}
	return false
}
