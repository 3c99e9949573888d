// Access to /metrics: for programs on this machine, holders of the operator's token, or anybody, as the settings say.
import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../caller/client-ip.ts";
import type { Config } from "../config/config.ts";

// A proxy on this machine gives every request a local address, so a request with one of these headers is never local.
const forwarding = /^(forwarded|via|x-forwarded-.*|x-real-ip)$/;

export function mayReadMetrics({ metrics }: Config, headers: Headers, clientIp: () => string): boolean {
  if (metrics.areOpen || bringsToken(metrics.token, headers)) return true;
  return isLoopback(clientIp()) && ![...headers.keys()].some((name) => forwarding.test(name));
}

function bringsToken(token: string | undefined, headers: Headers): boolean {
  const [, brought] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return token !== undefined && brought !== undefined && timingSafeEqual(hash(token), hash(brought));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
