// The check of this machine's clock against those of the database, Redis and the store, which tokens and signatures rely on.
import type { Config } from "../../server/config/config.ts";
import { type Finding, finding } from "../../server/house/check.ts";

/** Seconds that nothing minds, and seconds beyond which tokens and signatures of one machine are too old on another. */
const fine = 2;
const bearable = 60;
const patienceMs = 5000;

interface Clock {
  whose: string;
  /** Returns its time, in milliseconds since 1970. */
  ask(): Promise<number>;
}

/** Undefined where there is no other clock, or none that answers: that is another check's to say. */
export async function checkClock(config: Config): Promise<Finding | undefined> {
  const about = "clock";
  const found = await Promise.all(clocksOf(config).map(aheadOf));
  const seen = found.filter((each) => each !== undefined);
  const [worst] = seen.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds));
  if (!worst) return undefined;
  const { whose, seconds } = worst;
  const off = Math.abs(seconds);
  if (off <= fine) {
    const all = seen.map((each) => each.whose).join(", ");
    return finding(about, "ok", `It agrees with that of ${all}.`);
  }
  const way = seconds > 0 ? "ahead of" : "behind";
  const says = `It is ${Math.round(off)} s ${way} that of ${whose}: let both machines keep time by NTP.`;
  return finding(about, off > bearable ? "wrong" : "note", says);
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
      ask: async () => (await import("../../server/bus/redis.ts")).timeOfRedis(redisUrl),
    });
  if (s3)
    clocks.push({
      whose: "the S3 store",
      async ask() {
        const signal = AbortSignal.timeout(patienceMs);
        const { headers } = await fetch(s3.url, { method: "HEAD", redirect: "manual", signal });
        return Date.parse(headers.get("date") ?? "");
      },
    });
  return clocks;
}

/** By how many seconds this machine is ahead; what the answer was on its way does not count against it. */
async function aheadOf({ whose, ask }: Clock): Promise<{ whose: string; seconds: number } | undefined> {
  const before = Date.now();
  const theirs = await ask().catch(() => Number.NaN);
  const after = Date.now();
  if (Number.isNaN(theirs)) return undefined;
  if (theirs < before) return { whose, seconds: (before - theirs) / 1000 };
  return { whose, seconds: Math.min(0, after - theirs) / 1000 };
}
