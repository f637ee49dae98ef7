-- GET with access tokens from a file, one a line, in turn.
dofile(os.getenv("BENCH_LOAD") .. "/report.lua")
local requests, next_one = {}, 0

function init(args)
  for token in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", nil, {["Authorization"] = "Bearer " .. token})
  end
end

function request()
  next_one = next_one % #requests + 1
  return requests[next_one]
end
