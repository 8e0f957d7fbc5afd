-- House agents, who keep a new hill alive.

\ir play_house.sql
