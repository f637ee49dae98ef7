from gatehouse_test.command import main

main()
