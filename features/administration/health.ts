// The health of a running server as its admins see it, by the checks of `hearth doctor`: bounded in time, no secrets.
import { setTimeout as sleep } from "node:timers/promises";
import { version } from "../../server/config/version.ts";
import { type Finding, finding, reason } from "../../server/house/check.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { kept } from "../../server/kept.ts";
import { withoutSecrets } from "../../server/secrets.ts";
import { checkWayHere } from "./check-address.ts";
import { checkClock } from "./check-clock.ts";
import { checkConnections, checkDataInUse, checkFolder, checkReplica } from "./check-data.ts";
import { checkOpenFiles } from "./check-open-files.ts";
import { checkProcesses } from "./check-processes.ts";
import { checkRedis } from "./check-redis.ts";
import type { CheckResult } from "./contract.ts";

/** How long the answer waits for a check: one of a service that hangs goes on by itself, up to its own timeout. */
const patienceMs = 4000;
/** How long findings are cached, so that many requests do not repeat the checks. */
const keptMs = 2000;

/** Returns the findings of the checks. */
export const healthOf = perHouse("cache", (house) => kept(keptMs, () => look(house)));

/**
 * Runs the checks that are cheap: those that read the whole database, make things elsewhere or count towards rate
 * limits are left to the doctor.
 */
async function look(house: House): Promise<CheckResult[]> {
  const { config, listeningUrl, database, epoch } = house;
  const running = { version, url: listeningUrl, engine: database.engine, pid: process.pid, epoch };
  const looks: [about: string, found: Promise<readonly (Finding | undefined)[]>][] = [
    ["data folder", alone(checkFolder(config))],
    ["database", checkDataInUse(running)],
    ["connections", alone(checkConnections(config))],
    ["replica", alone(checkReplica(config))],
    ["Redis", alone(checkRedis(config))],
    ["processes", alone(checkProcesses(config))],
    ["clock", alone(checkClock(config))],
    ["open files", alone(checkOpenFiles(running))],
    ["public address", checkWayHere(config, running)],
  ];
  for (const { about, look } of house.features.flatMap((feature) => feature.checks ?? []))
    looks.push([about, alone(look(config, running))]);
  const found = await Promise.all(looks.map(([about, look]) => inTime(about, look)));
  return found.flat().flatMap((each) => (each ? [shown(each, config.secrets)] : []));
}

async function alone(look: Promise<Finding | undefined>): Promise<readonly (Finding | undefined)[]> {
  return [await look];
}

async function inTime(
  about: string,
  look: Promise<readonly (Finding | undefined)[]>,
): Promise<readonly (Finding | undefined)[]> {
  const over = new AbortController();
  const late = sleep(patienceMs, [finding(about, "wrong", "There was no answer in time.")], {
    signal: over.signal,
  });
  late.catch(() => {});
  try {
    return await Promise.race([look, late]);
  } catch (error) {
    return [finding(about, "wrong", `It could not be looked at: ${reason(error)}.`)];
  } finally {
    over.abort();
  }
}

/** Matches e-mail addresses: an answer of the mail server may hold somebody's. */
const address = /[^\s<>()"',:;@]{1,64}@[^\s<>()"',:;]+[^\s<>()"',:;.]/g;

function shown({ about, state, says }: Finding, secrets: readonly string[]): CheckResult {
  return {
    name: about,
    state: state === "wrong" ? "failed" : state === "note" ? "ok" : state,
    message: withoutSecrets(says, secrets).replace(address, "…"),
    needs_you: state === "note",
  };
}
