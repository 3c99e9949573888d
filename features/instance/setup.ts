// The first run: whether the first registration, that of the owner, needs a code that only the operator sees.
import { randomInt } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import { isLoopback, listensHereOnly } from "../../server/caller/addresses.ts";
import { isAskedHere } from "../../server/caller/from-here.ts";
import type { Config } from "../../server/config/config.ts";
import { forget, keep, kept } from "../../server/database/instance.ts";
import type { Job } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { perHouse } from "../../server/house/per-house.ts";
import { shortLived } from "../../server/house/short-lived.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { tokenHash } from "../../server/tokens.ts";
import { isOwned } from "../accounts/access.ts";

/** Five random bits per character; without I, L, O and U, which are mistaken for others. */
const signs = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = 4;
const signsInGroup = 4;

/**
 * The valid codes of all running processes, by their hashes. Codes can be guessed only as fast as an address may
 * register, and have 80 random bits: slowing everybody down after wrong guesses would let a stranger keep the operator
 * out.
 */
const codes = shortLived<true>({ name: "set-up code", keptMs: 10 * 60_000, most: 1000 });

/** Hashes of the codes that this process keeps valid; undefined while no server runs here. */
const printed = perHouse<{ hashes: string[] | undefined }>("queue", () => ({ hashes: undefined }));

/** The hash of a code made while no server ran: the next start takes it over. */
const madeBefore = "setup_code";

/**
 * `done`: the instance has an owner. `open`: the next registration makes one. `code`: that must bring a set-up code.
 * Depends on the headers of the request: even if the settings say that nobody comes from elsewhere, a proxy on this
 * machine may bring them.
 */
export async function setupOf(unit: UnitOfWork, headers: Headers): Promise<"done" | "open" | "code"> {
  if (await isOwned(unit)) return "done";
  return needsCode(unit.house.config, headers) ? "code" : "open";
}

/** Throws 403 unless the first registration needs no code, or brings a valid one. */
export async function needSetupCode(house: House, headers: Headers, code: string | undefined): Promise<void> {
  if (!needsCode(house.config, headers)) return;
  if (code !== undefined && (await codes(house).peek(tokenHash(asMade(code))))) return;
  const sentence =
    code === undefined ? "The first account needs the set-up code" : "This is not the set-up code";
  throw new Refusal(
    "registration_closed",
    `${sentence} that stands below the line with which the server started, or that hearth admin setup-code prints.`,
  );
}

function needsCode(config: Config, headers: Headers): boolean {
  return canOthersCome(config) || !isAskedHere(headers);
}

/** True if the server listens beyond this machine, or has a public address elsewhere, usually that of a proxy. */
function canOthersCome({ host, publicUrl }: Config): boolean {
  if (!listensHereOnly(host)) return true;
  if (publicUrl === undefined) return false;
  const { hostname } = new URL(publicUrl);
  return !isLoopback(hostname) && !hostname.endsWith(".localhost");
}

/**
 * Returns the code of this start, which is valid as long as this process runs; undefined if the settings require none.
 */
export async function codeOfStart(house: House): Promise<string | undefined> {
  const own = printed(house);
  own.hashes = [];
  if (await house.read(async (unit) => isOwned(unit))) return undefined;
  const made = await kept(house.database.read, madeBefore);
  if (made !== undefined) {
    own.hashes.push(made);
    await house.write((unit) => forget(unit.db, madeBefore));
  }
  const code = canOthersCome(house.config) ? newCode() : undefined;
  if (code !== undefined) own.hashes.push(tokenHash(code));
  for (const hash of own.hashes) await codes(house).put(hash, true);
  return code;
}

/** Renews this process's codes; those of a killed process expire. A code replaced by another is not restored. */
export const keepCodes: Job = {
  name: "keep the set-up code of this process",
  everyMs: 60_000,
  isEverywhere: true,
  async run(house) {
    for (const hash of printed(house).hashes ?? []) await codes(house).change(hash, (known) => known);
    return false;
  },
};

/** Removes this process's codes; while the database is unavailable they are left to expire. */
export async function endCodes(house: House): Promise<void> {
  const { hashes = [] } = printed(house);
  await Promise.all(hashes.map((hash) => codes(house).take(hash))).catch(() => {});
}

/**
 * Returns a new code that replaces all before, whichever process printed them. One made while no server runs here is
 * valid from the next start to the one after; other processes accept it for some minutes.
 */
export async function anotherCode(house: House): Promise<string> {
  if (await house.read(async (unit) => isOwned(unit)))
    throw new Refusal("conflict", "This Hearth has its owner: no set-up code is needed any more.");
  const code = newCode();
  const hash = tokenHash(code);
  await codes(house).clear();
  await codes(house).put(hash, true);
  const own = printed(house);
  const isForNextStart = own.hashes === undefined;
  await house.write(({ db }) => (isForNextStart ? keep(db, madeBefore, hash) : forget(db, madeBefore)));
  if (!isForNextStart) own.hashes = [hash];
  return code;
}

function newCode(): string {
  const group = () => Array.from({ length: signsInGroup }, () => signs[randomInt(signs.length)]).join("");
  return Array.from({ length: groups }, group).join("-");
}

/** Returns the code as it was made, however it was typed. */
function asMade(code: string): string {
  const typed = code
    .toUpperCase()
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0")
    .replace(/[^0-9A-Z]/g, "");
  return typed.replace(new RegExp(`.{${signsInGroup}}(?=.)`, "g"), "$&-");
}
