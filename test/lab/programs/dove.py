# As ../strategies/dove.ts.
import json, sys

print(json.dumps({"title": "Dove", "way": "shares the first place", "hours": [12]}), flush=True)
peace = {"announcements": [{"slot": 1, "intention": "PEACE"}], "moves": [{"slot": 1, "move": "PEACE"}]}
for line in sys.stdin:
    print(json.dumps(peace), flush=True)
