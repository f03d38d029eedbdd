-- wrk script: 4 KiB at random offsets of one URL.
--
--   wrk ... -s first-number.lua URL -- read|write BLOCKS SEED [QUERY]
--
-- Requests are put together by hand: wrk.format() would cost the client more than the request costs the server.

local BLOCK_BYTES = 4096

local head, tail, last

function init(args)
  local mode, blocks, seed = args[1], tonumber(args[2]), tonumber(args[3])
  local query = args[4] or ""
  math.randomseed(seed)
  last = blocks - 1
  local host = "Host: " .. wrk.host .. ":" .. wrk.port .. "\r\n"
  if mode == "read" then
    head = "GET " .. wrk.path .. " HTTP/1.1\r\n" .. host .. "Range: bytes="
    tail = "\r\n\r\n"
  else
    local bytes = {}
    for i = 1, BLOCK_BYTES do
      bytes[i] = string.char(math.random(0, 255))
    end
    head = "PUT " .. wrk.path .. query .. " HTTP/1.1\r\n" .. host
      .. "Content-Length: " .. BLOCK_BYTES .. "\r\nContent-Range: bytes "
    tail = "/*\r\n\r\n" .. table.concat(bytes)
  end
end

function request()
  local first = math.random(0, last) * BLOCK_BYTES
  return head .. string.format("%d-%d", first, first + BLOCK_BYTES - 1) .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'first-number {"requests": %d, "seconds": %.6f, "errors": %d, "p50Millis": %.3f, "p99Millis": %.3f}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3))
end
