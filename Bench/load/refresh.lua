-- Rotation: a token is taken from the heap, its successor is put there. There are as many tokens as connections, so
-- that one is always free, and none is sent twice.
dofile(os.getenv("BENCH_LOAD") .. "/report.lua")
local heap = {}

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  for token in io.lines(args[1]) do heap[#heap + 1] = token end
end

function request()
  return wrk.format(nil, nil, nil, '{"refresh_token":"' .. table.remove(heap) .. '"}')
end

function response(status, headers, body)
  heap[#heap + 1] = body:match('"refresh_token":"([^"]+)"')
end
