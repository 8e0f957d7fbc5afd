"""starters/python/bot.py · a bot that plays from cron. Copy this folder, and change strategy.py.
Python 3.9 or newer on Linux or macOS; nothing has to be installed. How to run it: ../README.md"""
import argparse, fcntl, json, os, shlex, sys, time
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen
from look import Strategy, look

NAME = "A Python starter"  # what its human reads when it asks to be let in: give it a name of your own


def play_today(hill, strategy):
    me = hill.use("whoami")["account"]
    for _ in range(20):
        status = hill.use("status")
        if "code" in status:
            return hill.explain(status)
        day, now = status["day"], 23 - (status["seconds_to_bell"] - 1) // 3600
        hours = [hour for hour in strategy.hours if hour <= now]
        if not hours:
            return f"Day {day}: the strategy decides at {strategy.hours[0]}:00 UTC."
        if hill.kept.get("day") == day and hill.kept.get("hour", 23) >= hours[-1]:
            return f"Day {day}: this bot has played already."
        view = look(hours[-1], me, status, lambda path: request(hill.address + path), hill.use)
        if view is None:
            time.sleep(10 if status.get("bell_ringing") else 1)  # it is midnight, and nobody knows yet who holds what
            continue
        decision, done, refused = strategy.decide(view), [], None
        for said in decision.get("announcements", []):
            if "code" not in hill.use("announce", day=day, **said):
                done.append(f"announced {said['intention']} on place {said['slot']}")
        for move in decision.get("moves", []):
            answer = hill.use("play", day=day, **move)
            if "code" in answer:
                refused = answer
            else:
                cents = f"{answer['reserved_cents']} cents"
                done.append(f"{move['move']} on place {move['slot']} for {cents}, sealed until the bell")
        if done:
            hill.keep(day=day, hour=hours[-1])
            return f"Day {day}: {'; '.join(done)}."
        if refused is None:
            return f"Day {day}: the strategy plays nothing now. The next run asks it again."
        if refused["code"] not in ("BELL_RINGING", "DAY_PASSED"):
            return hill.explain(refused)
        time.sleep(min(refused.get("retry_after_seconds", 1), 60))  # midnight came in between: it decides anew
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
        """An access token for 15 minutes, by step 4 of the hill's /auth.md, or by steps 1 and 3: its human lets it in, once, or on a practice hill it does."""
        lost = ""
        if "assertion" in self.kept:
            answer = self.grant("urn:ietf:params:oauth:grant-type:jwt-bearer", assertion=self.kept["assertion"])
            if answer.get("error") != "invalid_grant":
                return self.accept(answer)
            lost = f" any more: you cut it off at {self.address}/account, or no run got through for 24 hours"
        practises = "_practice" in request(f"{self.address}/api/status")
        if not practises and not self.email and not sys.stdin.isatty():
            raise Stop(f"The hill does not know this bot{lost}. Run it at a terminal, to let it in.")
        email = "" if practises else self.email or input(f"With which address do you sign in at {self.address}? ")
        claim_token = self.post("/agent/identity", {"type": "anonymous", "client_name": self.name})["claim_token"]
        claim = self.post("/agent/identity/claim", {"claim_token": claim_token, "email": email})
        answer = claim.get("claim_attempt") or self.explain(claim)
        if practises:
            urlopen(claim["practice"]["href"], urlencode(claim["practice"]["form"]).encode()).close()
        else:
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
    own = [sys.executable, str(Path(__file__).with_name("strategy.py"))]
    parser = argparse.ArgumentParser()
    parser.add_argument("address", help="such as https://hill.example")
    parser.add_argument("email", nargs="?", help="the address with which you sign in there")
    parser.add_argument("--strategy", default=shlex.join(own), help="a command, instead of strategy.py")
    args = parser.parse_args()
    try:
        print(play_today(Hill(NAME, args.address, args.email), Strategy(args.strategy)))
    except Stop as stop:
        sys.exit(str(stop))  # on stderr, with status 1
