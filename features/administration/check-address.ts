// The check of the address that people use: whether it is set, is safe, and leads to a Hearth.

import { apiPrefix } from "../../protocol/operation.ts";
import { isLoopback, openableUrl } from "../../server/caller/addresses.ts";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, type Running } from "../../server/house/check.ts";
import { checkSockets, checkUploads } from "./check-proxy.ts";

const patienceMs = 3000;

/** The finding about PUBLIC_URL; when that leads to the running Hearth, also those about proxies in between. */
export async function checkWayHere(config: Config, running: Running | undefined): Promise<Finding[]> {
  const { publicUrl } = config;
  const first = await checkPublicUrl(config, running);
  if (!running || !publicUrl || first.state !== "ok") return [first];
  return [first, ...(await Promise.all([checkSockets(publicUrl), checkUploads(publicUrl)]))];
}

async function checkPublicUrl(config: Config, running: Running | undefined): Promise<Finding> {
  const about = "public address";
  const { publicUrl } = config;
  if (!publicUrl) {
    const says = `PUBLIC_URL is not set: links lead to ${openableUrl(`http://${config.host}:${config.port}`)}, which is good on this machine only.`;
    return finding(about, "note", says);
  }
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== "https:" && !isLoopback(hostname)) {
    const says = `${publicUrl} (PUBLIC_URL) is not https: passwords travel in clear, and browsers refuse passkeys, push and microphones.`;
    return finding(about, "note", says);
  }
  if (!running) return finding(about, "ok", `${publicUrl}; start the server to see whether it leads here.`);
  return (await isHearth(publicUrl))
    ? finding(about, "ok", `A Hearth answers at ${publicUrl}.`)
    : finding(about, "note", `No Hearth answers at ${publicUrl} (PUBLIC_URL), as seen from this machine.`);
}

export async function isHearth(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}${apiPrefix}/instance`, { signal: AbortSignal.timeout(patienceMs) });
    const body = (await response.json()) as { version?: unknown; limits?: unknown };
    return response.ok && typeof body.version === "string" && typeof body.limits === "object";
  } catch {
    return false;
  }
}
