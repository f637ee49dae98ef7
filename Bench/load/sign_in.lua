-- Sign-ins: bodies from a file, one a line, in turn. With a second argument a refused client waits so many
-- milliseconds before it asks again, as Retry-After tells it, and up to as many more: clients are not in step.
dofile(os.getenv("BENCH_LOAD") .. "/report.lua")
local requests, next_one, wait, owed = {}, 0, 0, 0

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  for body in io.lines(args[1]) do requests[#requests + 1] = wrk.format(nil, nil, nil, body) end
  wait = tonumber(args[2] or 0)
end

function request()
  next_one = next_one % #requests + 1
  return requests[next_one]
end

function delay()
  if owed == 0 then return 0 end
  owed = owed - 1
  return wait + math.random(0, wait)
end

function response(status)
  if status == 503 then owed = owed + 1 end
end
