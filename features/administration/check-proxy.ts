// Checks of the proxies in front of Hearth, once PUBLIC_URL leads there: sockets, uploads and client addresses.

import { limits } from "../../protocol/limits.ts";
import { apiPrefix } from "../../protocol/operation.ts";
import { isLoopback } from "../../server/caller/addresses.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";
import { askRaw, type RawAnswer } from "./raw-request.ts";

const patienceMs = 5000;
/** A proxy with a limit on bodies refuses a large one at once; one without waits for the body. */
const bodyPatienceMs = 2000;
/** A form is a little longer than the file in it. */
const longestForm = limits.upload_bytes_max + 64 * 1024;
const megabytes = limits.upload_bytes_max / 1024 / 1024;
/** Another loopback address, so that this machine can call Hearth as a second client. */
const otherLoopback = "127.0.0.77";
const see = "See docs/proxies.md.";

export async function checkSockets(publicUrl: string): Promise<Finding> {
  const about = "sockets";
  try {
    const answer = await askRaw(
      new URL(`${publicUrl}/ws`),
      "GET",
      {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": Buffer.from("hearth doctor 16").toString("base64"),
      },
      { patienceMs },
    );
    if (answer?.status === 101) return finding(about, "ok", `They can be opened at ${publicUrl}/ws.`);
    const says = `None can be opened at ${publicUrl}/ws (${told(answer)}): let the proxy pass upgrades to WebSocket on.`;
    return finding(about, "wrong", `${says} ${see}`);
  } catch (error) {
    return finding(about, "wrong", `None can be opened at ${publicUrl}/ws: ${reason(error)}.`);
  }
}

export async function checkUploads(publicUrl: string): Promise<Finding> {
  const about = "uploads";
  try {
    // Hearth refuses the call at once, as nobody is signed in. The body is only announced, never sent.
    const answer = await askRaw(
      new URL(`${publicUrl}${apiPrefix}/upload`),
      "POST",
      { "Content-Type": "multipart/form-data; boundary=doctor", "Content-Length": String(longestForm) },
      { patienceMs: bodyPatienceMs },
    );
    if (answer === undefined || isOurs(answer))
      return finding(about, "ok", `Files of ${megabytes} MiB come through ${publicUrl}.`);
    const says = `Files of ${megabytes} MiB do not come through ${publicUrl} (${told(answer)}): let the proxy take bodies of 26 MiB.`;
    return finding(about, "wrong", `${says} ${see}`);
  } catch (error) {
    return finding(about, "wrong", `Files do not come through ${publicUrl}: ${reason(error)}.`);
  }
}

/**
 * Checks that Hearth tells clients behind the proxy apart. Requests through the proxy and direct ones come from
 * different addresses; if they draw from the same rate limit, Hearth sees the proxy's address only. `unreadHop` is
 * asked only then: it returns the proxy's X-Forwarded-For entry that is no address, if any.
 */
export async function checkAddresses(
  publicUrl: string,
  directUrl: string,
  unreadHop: () => Promise<string | undefined>,
): Promise<Finding> {
  const about = "addresses";
  const from = isLoopback(new URL(publicUrl).hostname) ? otherLoopback : undefined;
  try {
    const before = await signIn(directUrl);
    const through = await Promise.all([1, 2, 3, 4].map(() => signIn(publicUrl, from)));
    const after = await signIn(directUrl);
    if (after === undefined || !after.headers.has(remaining))
      return finding(about, "off", "Whether they come through cannot be seen while RATE_LIMITS is off.");
    const isAnother = through.every((answer) => answer?.localAddress !== after.localAddress);
    // `after` is itself one of the counted calls.
    const usedUp = left(before) - left(after) - 1;
    if (!isAnother || usedUp < 2)
      return finding(about, "ok", `Callers through ${publicUrl} are told apart by address.`);
    const hop = await unreadHop();
    const way =
      hop !== undefined
        ? `X-Forwarded-For comes as ${JSON.stringify(hop)}, which is no address: let the proxy write the client's`
        : "name the proxy in TRUSTED_PROXIES, and let it set X-Forwarded-For";
    const says = `All callers through ${publicUrl} are ${after.localAddress} to the limits on rates: ${way}.`;
    return finding(about, "wrong", `${says} ${see}`);
  } catch (error) {
    return finding(about, "note", `Whether they come through could not be seen: ${reason(error)}.`);
  }
}

/** Checks whether a client can forge its address by sending X-Forwarded-For: no rate limit would hold it up then. */
export async function checkForgery(publicUrl: string): Promise<Finding> {
  const about = "forgery";
  // Addresses reserved for documentation, which nobody has.
  const [one, other] = ["192.0.2.77", "192.0.2.78"].map((address) => ({ "X-Forwarded-For": address }));
  try {
    await Promise.all([1, 2, 3, 4].map(() => signIn(publicUrl, undefined, one)));
    const fresh = left(await signIn(publicUrl, undefined, other));
    const used = left(await signIn(publicUrl, undefined, one));
    // Calls from one address are counted in sequence: the last has at most one fewer left than the one before it.
    if (!(used < fresh - 1)) return finding(about, "ok", "Nobody can give themselves another address.");
    const says = `Whoever calls ${publicUrl} can choose their address: let the proxy replace X-Forwarded-For, and name nothing but proxies in TRUSTED_PROXIES.`;
    return finding(about, "wrong", `${says} ${see}`);
  } catch (error) {
    return finding(about, "note", `Whether addresses can be forged could not be seen: ${reason(error)}.`);
  }
}

/** Signs in without credentials: the call only has to count towards the rate limit. */
function signIn(
  base: string,
  from?: string,
  more: Record<string, string> = {},
): Promise<RawAnswer | undefined> {
  const url = new URL(`${base}${apiPrefix}/auth/login/password`);
  return askRaw(url, "POST", { "Content-Length": "0", ...more }, { patienceMs, from });
}

const remaining = "x-ratelimit-remaining";

function left(answer: RawAnswer | undefined): number {
  return Number(answer?.headers.get(remaining));
}

/** True if Hearth itself answered, not a proxy in front of it. */
function isOurs({ headers }: RawAnswer): boolean {
  return headers.has("x-request-id") && (headers.get("content-type") ?? "").startsWith("application/json");
}

function told(answer: RawAnswer | undefined): string {
  return answer === undefined ? "no answer" : `status ${answer.status}`;
}
