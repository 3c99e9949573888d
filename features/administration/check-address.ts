// Checks the public address: whether it is set, is secure, and leads to a Hearth.

import { apiPrefix } from "../../protocol/operation.ts";
import { askByHttp, textOf } from "../../server/ask-by-http.ts";
import { isLoopback, listensHereOnly, openableUrl, urlAt } from "../../server/caller/addresses.ts";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding, type Running, reason } from "../../server/house/check.ts";
import { isOk } from "../../server/wire/answer.ts";
import { checkSockets, checkUploads } from "./check-proxy.ts";

/** Limit of a response body, in bytes: longer than `GET /instance`, the page, and the first script that it loads. */
const longestAnswer = 256 * 1024;
/** The public address may redirect, from one host name to another for instance. */
const asBrowsers = { follows: true, withinMs: 3000, bodyMax: longestAnswer };

/** The finding about PUBLIC_URL; when that leads to the running Hearth, also those about proxies in between. */
export async function checkWayHere(config: Config, running: Running | undefined): Promise<Finding[]> {
  const { publicUrl } = config;
  const first = await checkPublicUrl(config, running);
  if (!running || !publicUrl || first.state !== "ok") return [first];
  const through = [checkPage(publicUrl), checkSockets(publicUrl), checkUploads(publicUrl)];
  return [first, ...(await Promise.all(through))];
}

async function checkPublicUrl(config: Config, running: Running | undefined): Promise<Finding> {
  const about = "public address";
  const { publicUrl } = config;
  if (!publicUrl) return finding(about, "note", withoutPublicUrl(config, running));
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== "https:" && !isLoopback(hostname)) {
    return finding(about, "note", `${publicUrl} (PUBLIC_URL) is not https: ${clear}.`);
  }
  if (!running) return finding(about, "ok", `${publicUrl}; start the server to see whether it leads here.`);
  return (await isHearth(publicUrl))
    ? finding(about, "ok", `A Hearth answers at ${publicUrl}.`)
    : finding(about, "note", `No Hearth answers at ${publicUrl} (PUBLIC_URL), as seen from this machine.`);
}

/** Why https is needed, and how to get it. */
const clear =
  "passwords travel in clear, and browsers refuse passkeys, push, microphones and installing the page. With a proxy that speaks TLS (docs/proxies.md), set PUBLIC_URL to its https address";

function withoutPublicUrl({ host, port }: Config, running: Running | undefined): string {
  const url = openableUrl(running?.url ?? urlAt(host, port));
  const reach = isLoopback(new URL(url).hostname) ? "on this machine" : "in its network";
  const links = `PUBLIC_URL is not set: links in mails and pushes lead to ${url}, which is good ${reach} only`;
  return listensHereOnly(host)
    ? `${links}. HOST=0.0.0.0 lets others at home in.`
    : `${links}. Others at home come to this machine's number or name, by plain http: ${clear}.`;
}

/** Checks that the page and its first script come through: a proxy may forward only some of the paths. */
async function checkPage(url: string): Promise<Finding> {
  const about = "page";
  try {
    const page = await asked(new URL("/", url));
    const script = /<script[^<>]* src="(\/assets\/[^"]+)"/.exec(page.text)?.[1];
    if (script === undefined)
      return finding(about, "wrong", `At ${url}/ there is no page of Hearth: hand every path on to it.`);
    const { status, type } = await asked(new URL(script, url));
    if (status === 200 && /javascript/.test(type))
      return finding(about, "ok", "The page comes through, and what it loads.");
    const says = `The page comes through, but not ${script}, which it loads (status ${status}): hand every path on to Hearth.`;
    return finding(about, "wrong", says);
  } catch (error) {
    return finding(about, "wrong", `The page does not come through: ${reason(error)}.`);
  }
}

async function asked(url: URL): Promise<{ status: number; type: string; text: string }> {
  const answer = await askByHttp(url, { ...asBrowsers, headers: { Accept: "text/html, */*" } });
  return {
    status: answer.status,
    type: answer.headers.get("content-type") ?? "",
    text: textOf(answer),
  };
}

export async function isHearth(url: string): Promise<boolean> {
  try {
    const answer = await askByHttp(`${url}${apiPrefix}/instance`, asBrowsers);
    const body = JSON.parse(textOf(answer)) as { version?: unknown; limits?: unknown };
    return isOk(answer) && typeof body.version === "string" && typeof body.limits === "object";
  } catch {
    return false;
  }
}
