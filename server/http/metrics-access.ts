// Access to /metrics: for programs on this machine, holders of the operator's token, or anybody, as the settings say.
import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopback } from "../caller/client-ip.ts";
import { isAskedAtHome } from "../caller/from-here.ts";
import type { Config } from "../config/config.ts";

export function mayReadMetrics({ metrics }: Config, headers: Headers, clientIp: () => string): boolean {
  if (metrics.areOpen || bringsToken(metrics.token, headers)) return true;
  return isLoopback(clientIp()) && isAskedAtHome(headers);
}

function bringsToken(token: string | undefined, headers: Headers): boolean {
  const [, brought] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return token !== undefined && brought !== undefined && timingSafeEqual(hash(token), hash(brought));
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
