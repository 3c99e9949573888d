// The doctor's checks of the address on which Hearth listens and the address that people use.

import { createServer } from "node:net";
import { apiPrefix } from "../protocol/operation.ts";
import { isLoopback, openableUrl, urlFromHere } from "../server/caller/addresses.ts";
import type { Config } from "../server/config/config.ts";
import type { Running } from "./check-data.ts";
import { checkProxy } from "./check-proxy.ts";
import { type Finding, finding, reason } from "./finding.ts";

const patienceMs = 3000;

export async function checkPort({ host, port }: Config, running: Running | undefined): Promise<Finding> {
  const about = "port";
  if (running) {
    return (await isHearth(running.url))
      ? finding(about, "ok", `The running server answers at ${running.url}.`)
      : finding(about, "wrong", `The running server does not answer at ${running.url}.`);
  }
  if (port === 0) return finding(about, "note", "PORT is 0: each start picks another one.");
  const trouble = await listenOnce(host, port);
  if (!trouble) return finding(about, "ok", `${host}:${port} is free.`);
  if (trouble.code !== "EADDRINUSE")
    return finding(about, "wrong", `Nothing can listen on ${host}:${port} (HOST, PORT): ${reason(trouble)}.`);
  const who = (await isHearth(urlFromHere(host, port)))
    ? "a Hearth with another data folder"
    : "another program";
  return finding(about, "wrong", `${host}:${port} (HOST, PORT) is taken by ${who}.`);
}

/** The finding about PUBLIC_URL; when that leads to the running Hearth, also those about proxies in between. */
export async function checkPublicUrl(config: Config, running: Running | undefined): Promise<Finding[]> {
  const first = await checkWay(config, running);
  if (!running || first.state !== "ok") return [first];
  return [first, ...(await checkProxy(config, running))];
}

async function checkWay(config: Config, running: Running | undefined): Promise<Finding> {
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

async function isHearth(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}${apiPrefix}/instance`, { signal: AbortSignal.timeout(patienceMs) });
    const body = (await response.json()) as { version?: unknown; limits?: unknown };
    return response.ok && typeof body.version === "string" && typeof body.limits === "object";
  } catch {
    return false;
  }
}

/** The error of trying to listen there; undefined when listening works. */
function listenOnce(host: string, port: number): Promise<(Error & { code?: string }) | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", done);
    probe.listen(port, host, () => probe.close(() => done(undefined)));
  });
}
