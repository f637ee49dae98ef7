-- GET of one address.
dofile(os.getenv("BENCH_LOAD") .. "/report.lua")
