"""`python3 -m gatehouse_prove`."""
from gatehouse_prove.command import main

main()
