// Verifies access tokens of one Gatehouse tenant with the standard library of Node 18 or newer.
import { createPublicKey, verify as isSigned } from "node:crypto";

const { ISSUER, AUDIENCE } = process.env;
const LEEWAY = 30; // seconds by which two clocks may differ
const PAUSE = 10; // seconds at least between two fetches of the key set
const KEPT = 3600; // seconds for which an outdated key set serves while no other can be fetched
const FORM = /^[\w-]+\.[\w-]+\.[\w-]{86}$/;

export class Refused extends Error {} // answer 401, or 403 where the message is "access"
export class Unavailable extends Error {} // answer 503

let keys = new Map();
let [freshUntil, asked] = [-Infinity, -Infinity];
let fetching, failure;

/** The claims of a good token. A token with limited access is refused unless `limited` allows it. */
export async function verify(token, { limited = false } = {}) {
  if (token.length > 8192 || !FORM.test(token)) throw new Refused("form");
  const [head, body, signature] = token.split(".");
  const header = parse(head);
  if (header?.alg !== "ES256" || header.typ !== "at+jwt" || header.crit !== undefined) throw new Refused("header");
  const signed = { key: await key(header.kid), dsaEncoding: "ieee-p1363" };
  if (!isSigned("sha256", Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, "base64url"))) {
    throw new Refused("signature");
  }
  const claims = parse(body);
  if (claims.iss !== ISSUER) throw new Refused("issuer");
  if (claims.aud !== AUDIENCE) throw new Refused("audience");
  if (!(Date.now() / 1000 < claims.exp + LEEWAY)) throw new Refused("expired");
  if (claims.access !== "full" && !limited) throw new Refused("access");
  return claims;
}

function parse(part) {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    throw new Refused("form");
  }
}

async function key(kid) {
  const now = process.uptime();
  if ((now >= freshUntil || !keys.has(kid)) && now >= asked + PAUSE) {
    asked = now;
    fetching = fetchKeys().catch((error) => (failure = error));
  }
  await fetching; // one fetch for all requests that wait
  if (process.uptime() >= freshUntil + KEPT) throw new Unavailable("no key set", { cause: failure });
  if (!keys.has(kid)) throw new Refused("key");
  return keys.get(kid);
}

async function fetchKeys() {
  const answer = await fetch(`${ISSUER}/.well-known/jwks.json`, { redirect: "error", signal: AbortSignal.timeout(3000) });
  if (!answer.ok) throw new Error(`the key set was answered with ${answer.status}`);
  const good = (await answer.json()).keys.filter((key) => key.crv === "P-256" && key.alg === "ES256");
  keys = new Map(good.map((key) => [key.kid, createPublicKey({ key, format: "jwk" })]));
  const age = Number(/max-age=(\d+)/.exec(answer.headers.get("cache-control"))?.[1] ?? 300);
  freshUntil = process.uptime() + Math.min(age, KEPT);
}

// The program: verifies each line of its input. `node verify.mjs --limited` allows limited access.
if (import.meta.url === `file://${process.argv[1]}`) {
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      const claims = await verify(line, { limited: process.argv[2] === "--limited" });
      console.log("accepted", claims.sub);
    } catch (error) {
      console.log(error instanceof Refused ? "refused" : "unavailable", error.message);
    }
  }
}
