// Makes a backup by running the operator's own command in a child process, so that the server goes on meanwhile.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { commandLine } from "../../server/own-files.ts";
import { keptIn, mustTake, NoFolder, nameAt, removeParts, rotate } from "./folder.ts";

/** How long after a failure the backup is tried again, in milliseconds. */
const againMs = 3600_000;
/**
 * The longest time that the command may take, in milliseconds; then it hangs, as a disk or a database does not answer.
 */
const mostMs = 12 * 3600_000;
/** How long after SIGTERM the command is killed, in milliseconds. */
const graceMs = 30_000;
const mostSaid = 4000;

interface Making {
  child: ChildProcess | undefined;
  /** The earliest time of the next attempt, by a monotonic clock. */
  notBefore: number;
  hasFailed: boolean;
}

const making = perHouse<Making>("queue", () => ({ child: undefined, notBefore: 0, hasFailed: false }));

/** Makes a backup if the newest is too old. Logs the first failure, and the first success after it. */
export async function backUpWhenDue(house: House, limitMs = mostMs): Promise<boolean> {
  const { backups } = house.config;
  const state = making(house);
  if (!backups || performance.now() < state.notBefore) return false;
  try {
    await mustTake(backups.folder);
    const [newest] = await keptIn(backups.folder, house.epoch);
    if (newest && Date.now() - newest.at < backups.everyMs) return false;
    await removeParts(backups.folder, house.epoch);
    const lacks = await make(house, backups.folder, limitMs);
    if (lacks)
      house.log.warn(
        { reason: lacks },
        "a backup was made, and uploads are missing in it, or not as written",
      );
  } catch (error) {
    // The next run tries again without the folder: a disk may be mounted any minute.
    const hasFolder = !(error instanceof NoFolder);
    if (hasFolder) state.notBefore = performance.now() + againMs;
    if (error instanceof Stopped || state.hasFailed) return false;
    const often = hasFolder ? "hour" : "minute";
    house.log.error(
      { reason: (error as Error).message },
      `no backup could be made: tried again each ${often}`,
    );
    state.hasFailed = true;
    return false;
  }
  if (state.hasFailed) house.log.info("backups are made again");
  state.hasFailed = false;
  if (house.clock.mayDelete()) await rotate(backups.folder, house.epoch, backups.keep);
  return false;
}

/** The command was ended by SIGTERM, from the stopping server or by hand. */
class Stopped extends Error {}

/** Returns the warning about uploads that are missing in the backup or not as written; empty without any. */
async function make(house: House, folder: string, limitMs: number): Promise<string> {
  const { environment, backupPassphraseFile } = house.config;
  const file = join(folder, nameAt(house.epoch, Date.now(), backupPassphraseFile !== undefined));
  const [program, ...args] = commandLine();
  const child = spawn(program, [...args, "backup", file], {
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  making(house).child = child;
  let [told, said] = ["", ""];
  child.stdout.on("data", (bytes: Buffer) => {
    if (told.length < mostSaid) told += bytes.toString();
  });
  child.stderr.on("data", (bytes: Buffer) => {
    if (said.length < mostSaid) said += bytes.toString();
  });
  const limit = endAfter(child, limitMs);
  const [code, signal] = await new Promise<[number | null, string | null]>((done, failed) => {
    child.once("error", failed);
    child.once("close", (...end) => done(end));
  }).finally(limit.lift);
  making(house).child = undefined;
  if (limit.isPassed()) throw new Error(`the command did not end within ${limitMs / 3600_000} hours`);
  if (signal === "SIGTERM" || code === 128 + 15) throw new Stopped();
  if (code !== 0) throw new Error(said.trim() || `the command ended with ${signal ?? code}`);
  // The first line names the backup.
  return told.trim().split("\n").slice(1).join(" ");
}

/** Ends the command after `limitMs`, by SIGKILL if it ignores SIGTERM; the next run removes its unfinished backup. */
function endAfter(child: ChildProcess, limitMs: number) {
  let isPassed = false;
  let kill: ReturnType<typeof setTimeout> | undefined;
  const end = setTimeout(() => {
    isPassed = true;
    child.kill("SIGTERM");
    kill = setTimeout(() => child.kill("SIGKILL"), graceMs);
  }, limitMs);
  return {
    isPassed: () => isPassed,
    lift() {
      clearTimeout(end);
      clearTimeout(kill);
    },
  };
}

/** Stops an unfinished backup, together with the server. */
export function stopMaking(house: House): void {
  making(house).child?.kill("SIGTERM");
}
