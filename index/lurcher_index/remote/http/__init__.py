"""How other people's servers are asked: bounded in time, size and number, and the token goes to one host only."""
