from empedocles.cli import main

main()
