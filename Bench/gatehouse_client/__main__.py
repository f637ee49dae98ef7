"""`python3 -m gatehouse_client`."""
from gatehouse_client.command import main

main()
