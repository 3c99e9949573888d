// Whether all processes of a Hearth were started with the same settings: each stores a hash of every value.
import { createHash } from "node:crypto";
import type { Config } from "../config/config.ts";
import { settings } from "../config/settings.ts";
import type { House } from "../house/house.ts";

/** Settings that may differ between processes: about the machine, its way to the database, or its own work. */
const ownNames: ReadonlySet<string> = new Set([
  ...["HOST", "PORT", "DATA_DIR", "DATABASE_URL", "DATABASE_REPLICA_URL", "TRUSTED_PROXIES", "LOG_LEVEL"],
  ...["BACKUP_DIR", "BACKUP_EVERY", "BACKUP_KEEP", "BACKUP_PASSPHRASE_FILE", "BACKLOG_MIB", "PICTURES_MIB"],
  ...["METRICS", "METRICS_TOKEN"],
]);

/** By setting name: a hash of its value, empty when it is not set. */
type Sums = Readonly<Record<string, string>>;

/** Contains no secret settings. */
export function sumsOf({ environment }: Pick<Config, "environment">): Sums {
  const compared = Object.entries(settings).filter(
    ([name, setting]) => !ownNames.has(name) && !("secret" in setting),
  );
  return Object.fromEntries(compared.map(([name]) => [name, sumOf(environment[name])]));
}

function sumOf(value: string | undefined): string {
  if (!value) return "";
  const shown = URL.canParse(value) ? withoutPassword(new URL(value)) : value;
  return createHash("sha256").update(shown).digest("base64url").slice(0, 8);
}

function withoutPassword(url: URL): string {
  url.username = "";
  url.password = "";
  return url.href;
}

/** Returns the names of common settings that differ; `theirs` is JSON, empty for an earlier release. */
export function differing(mine: Sums, theirs: string): string[] {
  const sums: Sums = theirs === "" ? {} : JSON.parse(theirs);
  return Object.keys(mine).filter((name) => name in sums && sums[name] !== mine[name]);
}

/** Compares this process with the others, and warns the operator of each new difference. */
export class SameSettings {
  readonly #house: House;
  readonly #mine: Sums;
  /** The names of differing settings in the last warning. */
  #told = "";

  constructor(house: House) {
    this.#house = house;
    this.#mine = sumsOf(house.config);
  }

  /** The hashes as stored for the others. */
  get json(): string {
    return JSON.stringify(this.#mine);
  }

  compare(theirs: readonly string[]): void {
    const names = new Set(theirs.flatMap((each) => differing(this.#mine, each)));
    const differ = [...names].join(", ");
    if (differ !== "" && differ !== this.#told)
      this.#house.log.warn(
        { settings: differ },
        "another process was started with other settings: give all the same",
      );
    this.#told = differ;
  }
}
