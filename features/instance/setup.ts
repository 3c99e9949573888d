// The first run: whether the first registration, which makes the instance's owner, needs a code that only the operator sees.
import { randomInt } from "node:crypto";
import { Refusal } from "../../protocol/errors.ts";
import { isLoopback } from "../../server/caller/addresses.ts";
import type { Config } from "../../server/config/config.ts";
import { forget, keep, kept } from "../../server/database/instance.ts";
import { type House, perHouse } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { tokenHash } from "../../server/tokens.ts";
import { isOwned } from "../accounts/access.ts";

/** Five random bits a sign; without I, L, O and U, which are read for others. */
const signs = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = 4;
const signsInGroup = 4;

/**
 * Hashes of the codes that count; undefined while no server runs here. Codes are only guessed at as fast as an address
 * may register, and have 80 random bits: to slow everybody down after wrong guesses would let a stranger keep the
 * operator out.
 */
const codes = perHouse<{ hashes: string[] | undefined }>("truth", () => ({ hashes: undefined }));

/** The hash of a code that was made while no server ran: the next start takes it over. */
const madeBefore = "setup_code";

/** `done`: the instance has an owner. `open`: the next registration makes one. `code`: it must bring a set-up code. */
export async function setupOf(unit: UnitOfWork): Promise<"done" | "open" | "code"> {
  if (await isOwned(unit)) return "done";
  return canOthersCome(unit.house.config) ? "code" : "open";
}

/** Throws 403 unless the first registration may come without a code, or brings one that counts. */
export function needSetupCode(house: House, code: string | undefined): void {
  if (!canOthersCome(house.config)) return;
  const { hashes = [] } = codes(house);
  if (code !== undefined && hashes.includes(tokenHash(asMade(code)))) return;
  const sentence =
    code === undefined ? "The first account needs the set-up code" : "This is not the set-up code";
  throw new Refusal("registration_closed", `${sentence} that the server printed when it started.`);
}

/** Listening beyond this machine, or known by an address that leads here from elsewhere: a proxy, in the usual case. */
function canOthersCome({ host, publicUrl }: Config): boolean {
  const name = host.toLowerCase();
  if (!isLoopback(name.includes(":") ? `[${name}]` : name)) return true;
  if (publicUrl === undefined) return false;
  const { hostname } = new URL(publicUrl);
  return !isLoopback(hostname) && !hostname.endsWith(".localhost");
}

/** Returns the code of this start; undefined where none is needed. Codes of earlier starts count no more. */
export async function codeOfStart(house: House): Promise<string | undefined> {
  const own = codes(house);
  own.hashes = [];
  if ((await house.read(setupOf)) !== "code") return undefined;
  const made = await kept(house.database.read, madeBefore);
  if (made !== undefined) {
    own.hashes.push(made);
    await house.write((unit) => forget(unit.db, madeBefore));
  }
  const code = newCode();
  own.hashes.push(tokenHash(code));
  return code;
}

/** Returns another code in place of those before. While no server runs it counts from the next start to the one after. */
export async function anotherCode(house: House): Promise<string> {
  if ((await house.read(setupOf)) === "done")
    throw new Refusal("conflict", "This Hearth has its owner: no set-up code is needed any more.");
  if (!canOthersCome(house.config))
    throw new Refusal(
      "conflict",
      "Nobody can come from elsewhere (HOST, PUBLIC_URL): no set-up code is needed.",
    );
  const code = newCode();
  const own = codes(house);
  if (own.hashes) own.hashes = [tokenHash(code)];
  else await house.write((unit) => keep(unit.db, madeBefore, tokenHash(code)));
  return code;
}

function newCode(): string {
  const group = () => Array.from({ length: signsInGroup }, () => signs[randomInt(signs.length)]).join("");
  return Array.from({ length: groups }, group).join("-");
}

/** The code as it was made, however it was typed. */
function asMade(code: string): string {
  const typed = code
    .toUpperCase()
    .replace(/[IL]/g, "1")
    .replace(/O/g, "0")
    .replace(/[^0-9A-Z]/g, "");
  return typed.replace(new RegExp(`.{${signsInGroup}}(?=.)`, "g"), "$&-");
}
