// k6 script: reads and writes blocks at random offsets of one URL.
//
//   k6 run -e URL=http://127.0.0.1:8080/v1/volumes/demo/data random.js
//   k6 run -e URL=... -e WRITES=30 -e FLUSH=n -e VUS=64 -e DURATION=30s random.js
//   k6 run -e URL=... -e RATE=5000 random.js
//
// URL       of the data of a volume, without a query
// WRITES    writes in a hundred requests; they overwrite what is there (0)
// FLUSH     n: a write is acknowledged before it is on stable media (y)
// BLOCK     bytes of a request (4096)
// SIZE      how many bytes from the start are used (the size the server tells)
// VUS       users, each with one request under way (16)
// RATE      requests that begin each second, whatever became of those before (none)
// DURATION  how long (10s)

import { check } from "k6";
import http from "k6/http";

const url = __ENV.URL;
const writes = Number(__ENV.WRITES || 0);
const block = Number(__ENV.BLOCK || 4096);
const users = Number(__ENV.VUS || 16);
const duration = __ENV.DURATION || "10s";
const target = __ENV.FLUSH === "n" ? `${url}?flush=n` : url;

const closed = { executor: "constant-vus", vus: users, duration };
const open = {
  executor: "constant-arrival-rate",
  rate: Number(__ENV.RATE || 1),
  timeUnit: "1s",
  duration,
  preAllocatedVUs: users,
  maxVUs: 16 * users,
};

export const options = {
  scenarios: { random: __ENV.RATE ? open : closed },
  thresholds: { checks: ["rate==1"], http_req_failed: ["rate==0"] },
  summaryTrendStats: ["med", "p(99)", "p(99.9)", "max"],
};

const payload = new Uint8Array(block).map(() => Math.floor(Math.random() * 256)).buffer;

export function setup() {
  if (__ENV.SIZE) {
    return { blocks: Math.floor(Number(__ENV.SIZE) / block) };
  }
  const answer = http.head(url);
  return { blocks: Math.floor(Number(answer.headers["Content-Length"]) / block) };
}

export default function (data) {
  const first = Math.floor(Math.random() * data.blocks) * block;
  const last = first + block - 1;
  // One name for all, or each range would be a metric of its own.
  const tags = { name: "data" };
  if (Math.random() * 100 < writes) {
    const headers = { "Content-Range": `bytes ${first}-${last}/*` };
    const answer = http.put(target, payload, { headers, tags });
    check(answer, { "a write is 200": (a) => a.status === 200 });
  } else {
    const headers = { Range: `bytes=${first}-${last}` };
    const answer = http.get(url, { headers, tags, responseType: "binary" });
    check(answer, {
      "a read is 206": (a) => a.status === 206,
      "a read is whole": (a) => a.body !== null && a.body.byteLength === block,
    });
  }
}
