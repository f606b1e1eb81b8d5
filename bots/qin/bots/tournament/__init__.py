"""Tournaments between bots.

settings.py   what a tournament is; checked before any game is played
schedule.py   which games it has; rounds.py: Swiss and knockout
games.py      one game: what is to be played, and what came of it
referee.py    plays a game in a process, and lets bots at fault forfeit
stage.py      that process; desk.py and memory.py: how it is watched
watchdog.py   watches it, and ends it when a bot hangs
crew.py       who plays: processes of this machine, or a cluster
ledger.py     the results in the order of the games, and what follows from them
store.py      the folder of a tournament
runner.py     hands out games and takes results in
pairs.py, stats.py, sprt.py  what the results say
summary.py    the same as text and JSON; report.py: as a page; charts.py draws for it
"""
