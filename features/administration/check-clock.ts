// Checks the clocks of this machine and of the processes against those of the database, Redis and the store, which
// tokens and signatures rely on.
import { askByHttp } from "../../server/ask-by-http.ts";
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding } from "../../server/house/check.ts";
import { aheadOf } from "../../server/processes/clocks-apart.ts";

/**
 * Clock difference that is harmless, and the one beyond which tokens and signatures of one machine are too old on
 * another, in seconds.
 */
const fine = 2;
const bearable = 60;
const patienceMs = 5000;

interface Clock {
  whose: string;
  /** Returns the clock's time, in milliseconds since 1970. */
  ask(): Promise<number>;
}

/** A compared clock: `seconds` is how far it is ahead. */
interface Compared {
  /** The name of the clock at the beginning of a sentence. */
  which: string;
  whose: string;
  seconds: number;
}

/** Undefined without another clock, or when none answers, which another check reports. */
export async function checkClock(config: Config): Promise<Finding | undefined> {
  const about = "clock";
  const own = (await Promise.all(clocksOf(config).map(compared))).filter((each) => each !== undefined);
  const seen = [...own, ...(await ofProcesses(config))];
  const [worst] = seen.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds));
  if (!worst) return undefined;
  const { which, whose, seconds } = worst;
  const off = Math.abs(seconds);
  if (off <= fine) {
    const all = [...new Set(seen.map((each) => each.whose))].join(", ");
    return finding(about, "ok", `It agrees with that of ${all}.`);
  }
  const way = seconds > 0 ? "ahead of" : "behind";
  const says = `${which} is ${Math.round(off)} s ${way} that of ${whose}: let both machines keep time by NTP.`;
  return finding(about, off > bearable ? "wrong" : "note", says);
}

/** The clock differences that the processes have recorded: each may run on another machine. */
async function ofProcesses({ databaseUrl }: Config): Promise<Compared[]> {
  if (databaseUrl === undefined) return [];
  const { askOnce } = await import("../../server/database/postgres-version.ts");
  const { clocksOfProcesses } = await import("../../server/processes/connections-table.ts");
  // Before the first start of this release, the table or the column does not exist.
  const told = await askOnce(databaseUrl, clocksOfProcesses).catch(() => []);
  return told.map((ms) => ({ which: "That of a process", whose: "PostgreSQL", seconds: ms / 1000 }));
}

function clocksOf({ databaseUrl, redisUrl, s3 }: Config): Clock[] {
  const clocks: Clock[] = [];
  if (databaseUrl !== undefined)
    clocks.push({
      whose: "PostgreSQL",
      ask: async () =>
        (await import("../../server/database/postgres-version.ts")).timeOfPostgres(databaseUrl),
    });
  if (redisUrl !== undefined)
    clocks.push({
      whose: "Redis",
      ask: async () => (await import("../../server/bus/redis-facts.ts")).timeOfRedis(redisUrl),
    });
  if (s3)
    clocks.push({
      whose: "the S3 store",
      async ask() {
        const { headers } = await askByHttp(s3.url, { method: "HEAD", withinMs: patienceMs });
        return Date.parse(headers.get("date") ?? "");
      },
    });
  return clocks;
}

async function compared({ whose, ask }: Clock): Promise<Compared | undefined> {
  const before = Date.now();
  const theirs = await ask().catch(() => Number.NaN);
  if (Number.isNaN(theirs)) return undefined;
  return { which: "It", whose, seconds: aheadOf({ before, theirs, after: Date.now() }) / 1000 };
}
