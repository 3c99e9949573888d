// `hearth ready`: whether the running server is ready for traffic, for supervisors and their health checks.
import type { Config } from "../server/config/config.ts";
import { reason } from "../server/house/check.ts";
import { askReadiness, type Readiness } from "../server/http/readiness.ts";
import { askRunning, whoIsThere } from "../server/operator/socket.ts";

/** Timeout in milliseconds, longer than the server takes to find out that its database does not answer. */
const readyMs = 12_000;

/** Returns exit code 1 when no server runs, or it is not ready. */
export async function ready({ dataDir }: Config): Promise<number> {
  const { isReady, says } = await readinessOn(dataDir);
  if (isReady) console.log(["ready", ...says].join("\n"));
  else console.error(`Not ready: ${says.join("\n")}.`);
  return isReady ? 0 : 1;
}

async function readinessOn(dataDir: string): Promise<Readiness> {
  const answer = await askRunning(dataDir, whoIsThere);
  if (!answer) return { isReady: false, says: [`no Hearth runs on ${dataDir}`] };
  const [, url = ""] = answer.lines;
  return askReadiness(url, readyMs).catch((error) => ({ isReady: false, says: [reason(error)] }));
}
