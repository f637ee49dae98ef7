"""`python3 -m gatehouse_bench`."""
from gatehouse_bench.command import main

main()
