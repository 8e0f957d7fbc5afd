"""starters/python/bot.py · a bot that plays one move a day from cron. Copy this file, and change decide().
Python 3.9 or newer on Linux or macOS; nothing has to be installed. How to run it: ../README.md"""
import fcntl, json, os, random, sys, time
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

NAME = "A Python starter"  # what its human reads when it asks to be let in: give it a name of your own
DEAREST = 100  # cents for a point. The mandate of its human limits what the bot may spend; this limits what it wants to


def decide(status, nights):
    """The strategy: the places to try, in order. At PEACE you keep a seat unless somebody wages WAR, so it stays while the
    rent, which grows nightly, is worth it. Otherwise, or where the rent is over the cap, it goes where a seat is free if all
    there stay: to one of the three best, by chance, since whoever copied this bot compares the same prices."""
    price = lambda place: place.get("peace_cents", 1e9) / expected(place, status, nights)  # of a point
    seats = [place for place in status["places"] if "opens_day" not in place and others(place) < 2]
    good = sorted((place for place in seats if price(place) <= DEAREST), key=price)
    free = [place for place in good if not holds(place)][:3]
    return [place for place in good if holds(place)] + free[random.randrange(len(free) or 1):]


others = lambda place: sum(not occupant.get("mine") for occupant in place["occupants"])
holds = lambda place: len(place["occupants"]) > others(place)


def expected(place, status, nights):
    """The points that PEACE brings on a place on average, as the last seven nights went: the rent is paid in any case."""
    i = place["slot"] - 1
    calm = [night["places"][i] for night in nights]
    calm = [night for night in calm if night["outcome"] != "WAR" and night["peace_count"] > 0]
    came_by = [occupant.get("via", "holder") for night in calm for occupant in night["occupants"]]
    share = (1 + len(calm)) / (others(place) + 1 + len(came_by))  # of the points: one more night is as it looks now
    # A holder keeps the seat. Who comes anew may find none, and waits in the queue: so others did there, and this bot
    # anywhere. That counts ten times: it comes at its own hour, and the earliest find seats.
    came = sum(night["peace_count"] for night in calm) - came_by.count("holder")
    theirs = (1 + came_by.count("peace")) / (1 + came)
    own = [move["result"] for night in nights for move in night["mine"]["moves"] if move["result"] in ("seated", "queued")]
    seat = 1 if holds(place) else (theirs + 10 * own.count("seated")) / (1 + 10 * len(own))
    return status["points"][i] * share * seat * (1 - status["lone_wars"][i] / 7.1)  # of seven nights one WAR took all on so many


def play_today(hill):
    for _ in range(20):
        status = hill.use("status")
        if "code" in status:
            return hill.explain(status)
        if status.get("bell_ringing"):  # it is midnight, and nobody knows yet who holds what
            time.sleep(10)
            continue
        day, answer = status["day"], None
        if hill.kept.get("day") == day:
            return f"Day {day}: this bot has played already."
        last = status["last_night"]
        nights = [hill.use("night", day=past) for past in range(last, max(0, last - 7), -1)]
        for place in decide(status, nights):
            answer = hill.use("play", slot=place["slot"], move="PEACE", day=day)
            if "code" not in answer:
                hill.keep(day=day)
                return f"Day {day}: PEACE on place {place['slot']} for {answer['reserved_cents']} cents, sealed until the bell."
        if answer is None:
            return f"Day {day}: no free seat is worth it, at {DEAREST} cents a point. The next run looks again."
        if answer["code"] not in ("BELL_RINGING", "DAY_PASSED"):
            return hill.explain(answer)
        time.sleep(min(answer.get("retry_after_seconds", 1), 60))  # midnight came in between: it decides anew
    raise Stop("The bell does not stop ringing. The next run tries again.")


class Stop(Exception):
    """Ends the run with a line for its human, and with status 1, for cron or systemd to report."""


def request(url, body=None, headers={}, timeout=30):
    """The answer, a refusal too. A busy hill is asked again: a deposit that is sent twice gets its first receipt twice."""
    for seconds in (2, 4, 8, None):
        try:
            try:
                answer = urlopen(Request(url, body, headers), timeout=timeout)
            except HTTPError as refusal:
                answer = refusal
            if answer.code not in (429, 502, 503) or not seconds:
                return json.load(answer)
            seconds = min(int(answer.headers.get("Retry-After", seconds)), 60)
        except (OSError, ValueError) as error:
            if not seconds:
                raise Stop(f"{url} does not answer as it should: {error}") from None
        time.sleep(seconds)


class Hill:  # a bot on one hill: what it keeps between runs, how it is let in, and the tools
    def __init__(self, name, address="", email=None):
        url = urlsplit(address)
        if url.scheme != "https" and url.hostname not in ("localhost", "127.0.0.1", "::1"):  # others would read the tokens
            raise Stop(f"Usage: python3 {sys.argv[0]} https://hill.example [the address with which you sign in there]")
        self.name, self.address, self.email = name, f"{url.scheme}://{url.netloc}", email
        self.file = Path.home() / ".hill" / f"{url.netloc.replace(':', '_')}-{Path(sys.argv[0]).stem}.json"
        os.umask(0o077)  # what follows is for the owner of the files alone
        self.file.parent.mkdir(exist_ok=True)
        self.lock = open(f"{self.file}.lock", "w")  # the system frees the lock when the process ends, however it ends
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Stop("Another run of this bot is under way.") from None
        self.kept = json.loads(self.file.read_text()) if self.file.exists() else {}
        self.issuer = request(f"{self.address}/.well-known/oauth-protected-resource")["authorization_servers"][0]
        self.token = self.let_in()

    def keep(self, **changes):
        """The file is replaced whole: no run finds half of it."""
        self.kept.update(changes)
        with open(f"{self.file}.new", "wb", buffering=0) as file:
            file.write(json.dumps(self.kept).encode())
            os.fsync(file.fileno())
        os.replace(f"{self.file}.new", self.file)

    def post(self, path, fields, **headers):
        return request(self.issuer + path, json.dumps(fields).encode(), {"Content-Type": "application/json", **headers})

    def grant(self, kind, **fields):
        return request(f"{self.issuer}/oauth/token", urlencode({"grant_type": kind, **fields}).encode())

    def let_in(self):
        """An access token for 15 minutes, by step 4 of the hill's /auth.md, or by steps 1 and 3: its human lets it in, once."""
        lost = ""
        if "assertion" in self.kept:
            answer = self.grant("urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=self.kept["assertion"])
            if answer.get("error") != "invalid_grant":
                return self.accept(answer)
            lost = f" any more: you cut it off at {self.address}/account, or no run got through for 24 hours"
        if not self.email and not sys.stdin.isatty():
            raise Stop(f"The hill does not know this bot{lost}. Run it at a terminal, to let it in.")
        email = self.email or input(f"With which address do you sign in at {self.address}? ")
        claim_token = self.post("/agent/identity", {"type": "anonymous", "client_name": self.name})["claim_token"]
        claim = self.post("/agent/identity/claim", {"claim_token": claim_token, "email": email})
        answer = claim.get("claim_attempt") or self.explain(claim)
        print(f"Open {answer['verification_uri']}, sign in as {email}, and type the code {answer['user_code']}.", flush=True)
        while "interval" in answer:  # it says how long to wait for as long as waiting helps
            time.sleep(answer["interval"])
            answer = self.grant("urn:example:agent-auth:grant-type:claim", claim_token=claim_token)
        return self.accept(answer)

    def accept(self, answer):
        if "error" in answer:
            self.explain(answer)
        self.keep(assertion=answer["identity_assertion"])  # a run that dies before this line loses nothing: the last one lives on
        return answer["access_token"]

    def rpc(self, method, **params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = self.post("/mcp", message, Authorization=f"Bearer {self.token}", Accept="application/json, text/event-stream")
        return answer.get("result") or self.explain(answer)

    def use(self, tool, **args):
        return self.rpc("tools/call", name=tool, arguments=args)["structuredContent"]  # a refusal has a code

    def explain(self, refusal):
        code, message = refusal.get("code"), refusal.get("message")
        if code in ("HILL_NOT_OPEN", "NO_MOVES_LEFT", "TOO_MANY_PLACES", "BELL_RINGING", "DAY_PASSED"):  # these pass
            return f"{message} The next run looks again."
        link = refusal.get("link", f"{self.address}/account")
        raise Stop(f"{message or refusal.get('error_description') or refusal} See {link} ({code or refusal.get('error')})")


if __name__ == "__main__":
    try:
        print(play_today(Hill(NAME, *sys.argv[1:3])))
    except Stop as stop:
        sys.exit(str(stop))  # on stderr, with status 1
