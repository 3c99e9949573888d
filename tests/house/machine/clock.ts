// Sets the clock of a real server process, by libfaketime, where Debian's package of that name is installed.
import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const library = findLibrary();

export const canSetClock = library !== undefined;

/** Environment of a process whose clock is off by this many days from its start on. */
export function clockOff(days: number): Record<string, string> {
  return { LD_PRELOAD: library ?? "", FAKETIME: offBy(days), DONT_FAKE_MONOTONIC: "1" };
}

/** Environment of a process whose clock is this many seconds ahead. */
export function clockAhead(seconds: number): Record<string, string> {
  return { ...clockOff(0), FAKETIME: `+${seconds}s` };
}

/** Environment of a process whose clock can be set while it runs. */
export function clockToSet(folder: string): { settings: Record<string, string>; set(days: number): void } {
  const file = join(folder, "clock");
  function set(days: number): void {
    // Replaced atomically: the process may read the file at any moment.
    writeFileSync(`${file}.new`, `${offBy(days)}\n`);
    renameSync(`${file}.new`, file);
  }
  set(0);
  const settings = {
    LD_PRELOAD: library ?? "",
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
  return { settings, set };
}

function offBy(days: number): string {
  return `${days < 0 ? "-" : "+"}${Math.abs(days)}d`;
}

function findLibrary(): string | undefined {
  if (!existsSync("/usr/lib")) return undefined;
  return readdirSync("/usr/lib")
    .map((folder) => join("/usr/lib", folder, "faketime", "libfaketimeMT.so.1"))
    .find((path) => existsSync(path));
}
