-- wrk script: writes blocks of noise at random offsets of one URL.
--
--   wrk -t1 -c16 -d10s -s random-put.lua http://127.0.0.1:8080/v1/volumes/demo/data -- [BLOCK_BYTES [BLOCKS [SEED]]]
--
-- It overwrites what is there. With ?flush=n behind the URL a write is acknowledged before it is on stable media.
-- BLOCKS is how many blocks from the start are written; 4096 bytes and 262144 blocks are the 1 GiB of the demo volume.
-- Requests are put together by hand: wrk.format() would cost the client more than a request costs the server.

local block_bytes, blocks, head, tail

function init(args)
  block_bytes = tonumber(args[1] or "4096")
  blocks = tonumber(args[2] or "262144")
  math.randomseed(tonumber(args[3] or "1"))
  local noise = {}
  for i = 1, block_bytes do
    noise[i] = string.char(math.random(0, 255))
  end
  head = "PUT " .. wrk.path .. " HTTP/1.1\r\nHost: " .. wrk.host .. ":" .. wrk.port
    .. "\r\nContent-Length: " .. block_bytes .. "\r\nContent-Range: bytes "
  tail = "/*\r\n\r\n" .. table.concat(noise)
end

function request()
  local first = math.random(0, blocks - 1) * block_bytes
  return head .. string.format("%d-%d", first, first + block_bytes - 1) .. tail
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    'summary {"requests": %d, "seconds": %.6f, "errors": %d, "p50Micros": %.0f, "p99Micros": %.0f, "p999Micros": %.0f, "maxMicros": %.0f}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50),
    latency:percentile(99),
    latency:percentile(99.9),
    latency.max))
end
