// Checks the limit on open files: each socket is one.
import { readdir, readFile } from "node:fs/promises";
import { type Finding, finding, type Running } from "../../server/house/check.ts";

/** Open files for as many people as one process serves, plus all other needs. */
const enough = 16_384;
/** The share of the limit that may be in use before the check fails. */
const fullShare = 0.8;

/** Checks the running server; without one, this process, whose limits a server started in the same way would have. */
export async function checkOpenFiles(running: Running | undefined): Promise<Finding | undefined> {
  const about = "open files";
  const process = `/proc/${running?.pid ?? "self"}`;
  const most = await mostOpen(process);
  // Not Linux, or the process of another user.
  if (most === undefined) return undefined;
  const raise = "raise LimitNOFILE of systemd, nofile of the container, or ulimit -n";
  const open = running && (await readdir(`${process}/fd`).catch(() => [])).length;
  if (open !== undefined && open > most * fullShare)
    return finding(about, "wrong", `${open} of at most ${most} are open: ${raise}.`);
  if (most < enough)
    return finding(
      about,
      "note",
      `At most ${most} can be open, and each socket is one: ${raise} to ${enough}.`,
    );
  const used = open === undefined ? "" : `, and ${open} are`;
  return finding(about, "ok", `${most} can be open${used}.`);
}

/** Returns the soft limit of another process. Of this one, the hard limit, to which the runtime raises the soft one. */
async function mostOpen(process: string): Promise<number | undefined> {
  const limits = await readFile(`${process}/limits`, "utf8").catch(() => "");
  const [, soft = "", hard = ""] = /^Max open files +(\S+) +(\S+)/m.exec(limits) ?? [];
  const [now, most] = [soft, hard].map((text) =>
    text === "unlimited" ? Number.MAX_SAFE_INTEGER : Number(text),
  );
  if (!now || !most) return undefined;
  return process === "/proc/self" ? most : now;
}
