// Makes a backup by the operator's own command, in a process of its own: the server goes on meanwhile.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { commandLine } from "../../server/own-files.ts";
import { keptIn, mustTake, NoFolder, nameAt, removeParts, rotate } from "./folder.ts";

/** So long after a failure it is tried again, in milliseconds. */
const againMs = 3600_000;
/** The command is ended when it takes longer, as it hangs: a disk or a database does not answer. */
const mostMs = 12 * 3600_000;
/** So long after it was told to end it is killed. */
const graceMs = 30_000;
const mostSaid = 4000;

interface Making {
  child: ChildProcess | undefined;
  /** By a clock that is never set. */
  notBefore: number;
  hasFailed: boolean;
}

const making = perHouse<Making>("queue", () => ({ child: undefined, notBefore: 0, hasFailed: false }));

/** Makes a backup if the newest is older than it may be. The log is told once that it fails, and once that it does again. */
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
    // A disk may be mounted any minute.
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

/** The process was told to end, by the server that stops or by hand. */
class Stopped extends Error {}

/** Returns what is to be told of uploads that are missing in it, or not as written; an empty text of none. */
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
  // The first line says what was made.
  return told.trim().split("\n").slice(1).join(" ");
}

/** A process that does not even hear that it should end is killed; what it leaves behind is removed by the next. */
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

/** An unfinished backup goes with the server. */
export function stopMaking(house: House): void {
  making(house).child?.kill("SIGTERM");
}
