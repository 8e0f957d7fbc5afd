"""starters/python/look.py · what a strategy is given, from the hill's public API and the tools of its own agent, and how it
is asked. The fields are those of ../../strategies.md."""
import json, re, subprocess, sys

NIGHTS, MOVES, ANNOUNCEMENTS, LEADERS = 14, 1000, 100, 10  # how many nights a strategy sees, and how much of each


class Strategy:
    """A program that says in a line of JSON what it is, and answers each line with a view with a line with a decision."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, shell=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.hours = self.told()["hours"]

    def decide(self, view):
        print(json.dumps(view), file=self.process.stdin, flush=True)
        return self.told()

    def told(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"The strategy ended without an answer: {self.command}")
        return json.loads(line)


def look(hour, me, status, read, use):
    """None while a bell rings: nobody knows yet who holds what. `read`: a GET of the public API. `use`: a tool."""
    day, last, account = status["day"], status["last_night"], status["account"]
    hill = read("/api/hill")
    behind = hill["day"] != day or last != max((place["day"] for place in hill["lastNight"]), default=0)
    if status.get("bell_ringing") or behind or account["moves"] is None:
        return None
    past = list(range(last, max(0, last - NIGHTS), -1))
    seen = [read(f"/api/day/{n}?limit={MOVES}") for n in past]
    board = read(f"/api/leaderboard/hill?limit={LEADERS}")
    reputation = {move["occupant"]["accountId"]: move["reputation"] for night in seen[:1] for move in night["moves"]}
    mine = lambda one: one["occupant"]["accountId"] == me["accountId"]
    paid = {place["slot"]: None if "opens_day" in place else place.get("peace_cents") for place in status["places"]}
    return {
        "day": day,
        "hour": hour,
        "me": {
            "account": me["accountId"],
            "name": me["name"],
            "credits_cents": max(0, account["available_cents"]),
            "left_today_cents": max(0, min(account["cap_left_cents"], account["available_cents"])),
            "most_stake_cents": account["max_stake_cents"],
            "moves_left": account["moves_left"],
            "reputation": account["reputation"],
            "live": [played(move) for move in account["moves"]],
            "nights": [
                {"day": n, "slot": move["slot"], "move": move["move"], "cents": move["cost_cents"], "result": result}
                for n, night in zip(past, seen)
                for move, result in (
                    [(move, move["decision"]["fate"]) for move in night["moves"] if mine(move)]
                    if night["next_cursor"] is None  # of a night with thousands of moves the hill tells an agent its own
                    else [(move, move["result"]) for move in use("night", day=n)["mine"]["moves"]]
                )
            ],
        },
        "places": [
            {
                "slot": place["slot"],
                "open": "opens_day" not in place,
                "points": points,
                "occupants": [
                    {
                        "account": one["accountId"],
                        "name": one["name"],
                        "house": one["house"],
                        "days_held": one["daysHeld"],
                        "reputation": reputation.get(one["accountId"], 0),
                    }
                    for one in sits["occupants"]
                ],
                "peace_cents": paid[place["slot"]],
            }
            for place, points, sits in zip(status["places"], status["points"], hill["hill"])
        ],
        "announcements": [said(one) for one in hill["announcements"] if not mine(one)][:ANNOUNCEMENTS],
        "nights": [
            {
                "day": n,
                "places": [
                    {
                        "slot": place["slot"],
                        "outcome": place["outcome"],
                        "occupants": [
                            {"account": one["accountId"], "via": one["via"], "days_held": one["daysHeld"], "points": one["points"]}
                            for one in place["occupants"]
                        ],
                    }
                    for place in night["results"]
                ],
                "moves": [{"account": move["occupant"]["accountId"], **played(move)} for move in night["moves"]],
                "announcements": [{**said(one), "verdict": one["verdict"]} for one in night["announcements"][:ANNOUNCEMENTS]],
            }
            for n, night in zip(past, seen)
        ],
        "leaders": [{"account": one["accountId"], "points": one["points"]} for one in board["entries"]],
        "war_minimum_cents": status["war_minimum_cents"],
        "advice": [
            {key: value for key, value in json.loads(call).items() if key in ("slot", "move", "stake_cents")}
            for call in re.findall(r"\bplay (\{.*?\})", status["next"])
        ],
    }


def played(move):
    return {"slot": move["slot"], "move": move["move"], "stake_cents": move["stake_cents"] if move["move"] == "WAR" else None}


def said(one):
    return {"account": one["occupant"]["accountId"], **{key: one[key] for key in ("slot", "intention", "message")}}
