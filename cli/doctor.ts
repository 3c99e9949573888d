// `hearth doctor`: checks everything that a running Hearth needs, and reports problems and their remedies.
import { checkWayHere } from "../features/administration/check-address.ts";
import { checkClock } from "../features/administration/check-clock.ts";
import { checkConnections, checkFolder, checkReplica } from "../features/administration/check-data.ts";
import { checkOpenFiles } from "../features/administration/check-open-files.ts";
import { checkProcesses } from "../features/administration/check-processes.ts";
import { checkAddresses, checkForgery } from "../features/administration/check-proxy.ts";
import { checkRedis } from "../features/administration/check-redis.ts";
import { checkVoice } from "../features/voice/doctor.ts";
import { CannotStart } from "../server/cannot-start.ts";
import { type Config, readConfig } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { type Finding, finding, type Running } from "../server/house/check.ts";
import { checkDatabase, checkIntegrity, checkRunning } from "./check-data.ts";
import { checkMove } from "./check-move.ts";
import { checkPort } from "./check-port.ts";

/** Returns exit code 1 when a check found a problem. */
export async function doctor(settings: readonly string[], voiceOnly: boolean): Promise<number> {
  let config: Config;
  try {
    config = readConfig(settings);
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    return told([finding("settings", "wrong", error.message)]);
  }
  if (voiceOnly) return told([await voice(config)]);
  const [running, server] = await checkRunning(config);
  return told([
    finding("settings", "ok", "They can be read; hearth settings shows them."),
    await checkFolder(config),
    running,
    ...(await checkDatabase(config, server)),
    await checkMove(config),
    await checkConnections(config),
    await checkReplica(config),
    await checkRedis(config),
    await checkProcesses(config),
    await checkClock(config),
    await checkOpenFiles(server),
    await checkIntegrity(config),
    await checkPort(config, server),
    ...(await checkWay(config, server)),
    ...(await checkFeatures(config, server)),
  ]);
}

/** Checks of client addresses run only here: their calls count towards rate limits. */
async function checkWay(config: Config, running: Running | undefined): Promise<Finding[]> {
  const found = await checkWayHere(config, running);
  if (!running || !config.publicUrl || found[0]?.state !== "ok") return found;
  const unreadHop = async () => (await checkRunning(config))[1]?.unreadHop;
  const addresses = await checkAddresses(config.publicUrl, running.url, unreadHop);
  return addresses.state === "ok"
    ? [...found, addresses, await checkForgery(config.publicUrl)]
    : [...found, addresses];
}

async function checkFeatures(config: Config, running: Running | undefined): Promise<(Finding | undefined)[]> {
  const found: (Finding | undefined)[] = [];
  for (const { look, lookCloser = look } of features.flatMap((feature) => feature.checks ?? []))
    found.push(await lookCloser(config, running));
  return found;
}

async function voice(config: Config): Promise<Finding> {
  const { ok, lines } = await checkVoice(config);
  return finding("voice", ok ? "ok" : "wrong", lines.join("\n"));
}

function told(all: readonly (Finding | undefined)[]): number {
  const findings = all.filter((each) => each !== undefined);
  for (const { about, state, says } of findings) {
    const [first, ...more] = says.split("\n");
    console.log(`${state.padEnd(5)}  ${about.padEnd(14)}  ${first}`);
    for (const line of more) console.log(" ".repeat(23) + line);
  }
  return findings.some(({ state }) => state === "wrong") ? 1 : 0;
}
