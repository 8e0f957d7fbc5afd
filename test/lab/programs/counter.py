# Moves by how often each account asked it: who shares a process with another world moves otherwise than alone.
import json, sys
from collections import Counter

asked = Counter()
print(json.dumps({"title": "Counter", "way": "moves by how often it was asked", "hours": [2, 7]}), flush=True)
for line in sys.stdin:
    view = json.loads(line)
    asked[view["hour"]] += 1
    slot = 1 + sum(asked.values()) % 7
    print(json.dumps({"moves": [{"slot": slot, "move": "PEACE"}]}), flush=True)
