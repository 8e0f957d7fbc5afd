"""starters/python/strategy.py · decides what the bot beside it plays. Change it. It writes a line of JSON that says what it
is, and answers each line that it reads, a view, with a decision. Their fields are in ../../strategies.md."""
import hashlib, json, sys

DEAREST = 100  # cents for a point. The mandate of its human limits what the bot may spend; this limits what it wants to
HEADER = {
    "title": "Careful",
    "way": "stays while a point is worth its price, and otherwise goes to one of the three cheapest free seats",
    "hours": [0],
}


def decide(view):
    price = lambda place: (1e9 if place["peace_cents"] is None else place["peace_cents"]) / expected(view, place)  # of a point
    seats = [place for place in view["places"] if place["open"] and others(view, place) < 2]
    good = sorted((place for place in seats if price(place) <= DEAREST), key=price)
    free = [place for place in good if not holds(view, place)][:3]
    # by chance, since whoever copied this strategy compares the same prices
    wanted = [place for place in good if holds(view, place)] + free[int(chance(view) * len(free)) :]
    paid = [place for place in wanted if place["peace_cents"] <= view["me"]["left_today_cents"]] or wanted
    return {"moves": [{"slot": place["slot"], "move": "PEACE"} for place in paid[:1]]}


others = lambda view, place: sum(one["account"] != view["me"]["account"] for one in place["occupants"])
holds = lambda view, place: len(place["occupants"]) > others(view, place)


def chance(view):
    """At least 0 and below 1, the same for an account and day."""
    return int.from_bytes(hashlib.sha256(f"{view['me']['account']} {view['day']}".encode()).digest()[:4], "big") / 2**32


def expected(view, place):
    """The points that PEACE brings on a place on average, as the last seven nights went: the rent is paid in any case."""
    slot, week = place["slot"], view["nights"][:7]
    came_on = lambda night: sum(move["slot"] == slot and move["move"] == "PEACE" for move in night["moves"])
    calm = [night for night in week if night["places"][slot - 1]["outcome"] != "WAR" and came_on(night) > 0]
    came_by = [one["via"] for night in calm for one in night["places"][slot - 1]["occupants"]]
    share = (1 + len(calm)) / (others(view, place) + 1 + len(came_by))  # of the points: one more night is as it looks now
    # A holder keeps the seat. Who comes anew may find none, and waits in the queue: so others did there, and this bot
    # anywhere. That counts ten times: it comes at its own hour, and the earliest find seats.
    came = sum(map(came_on, calm)) - came_by.count("holder")
    theirs = (1 + came_by.count("peace")) / (1 + came)
    own = [move["result"] for move in view["me"]["nights"] if move["day"] > view["day"] - 8]
    tried = [result for result in own if result in ("seated", "queued")]
    seat = 1 if holds(view, place) else (theirs + 10 * tried.count("seated")) / (1 + 10 * len(tried))
    wars = sum(night["places"][slot - 1]["outcome"] == "WAR" for night in week)
    return place["points"] * share * seat * (1 - wars / 7.1)  # of seven nights one WAR took all on so many


print(json.dumps(HEADER), flush=True)
for line in sys.stdin:
    print(json.dumps(decide(json.loads(line))), flush=True)
