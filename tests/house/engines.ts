// Runs the same tests in a fresh house on each engine: SQLite always, PostgreSQL where the test run has started one.
import { afterAll, beforeAll, describe } from "bun:test";
import { randomBytes } from "node:crypto";
import pg from "pg";
import { gathering } from "../../features/read-states/gathering.ts";
import { readConfig } from "../../server/config/config.ts";
import { features } from "../../server/features.ts";
import type { Feature } from "../../server/house/feature.ts";
import { openHouse, type RunningHouse } from "../../server/open.ts";
import { type HashCost, passwordHasher } from "../../server/passwords.ts";
import { temporaryFolder } from "./folder.ts";
import { TestPerson } from "./people.ts";

export type Engine = "SQLite" | "PostgreSQL";

/** Set by the test runner; absent where no PostgreSQL binaries were found. */
const postgresUrl = Bun.env.HEARTH_TEST_POSTGRES;

/** Real hashes that take a tenth of a millisecond instead of forty: people are registered by the thousand. */
const quick: HashCost = { memoryCost: 8, timeCost: 1 };

export class TestHouse {
  readonly engine: Engine;
  readonly settings: Record<string, string>;
  /** What a password hash costs from the next opening on; undefined: as much as in a server. */
  hashCost: HashCost | undefined = quick;
  /** Those of Hearth, unless a test is about the machine without them. */
  features: readonly Feature[] = features;
  #running: RunningHouse | undefined;
  readonly #end: () => Promise<void>;

  constructor(engine: Engine, settings: Record<string, string>, end: () => Promise<void>) {
    this.engine = engine;
    this.settings = settings;
    this.#end = end;
  }

  get running(): RunningHouse {
    if (!this.#running) throw new Error("the house is closed");
    return this.#running;
  }

  get url(): string {
    return this.running.url;
  }

  /** As the operator reads it where the server was started; undefined where none is needed. */
  get setupCode(): string | undefined {
    return setupCodeIn(this.running.greeting.join("\n"));
  }

  async open(): Promise<void> {
    this.#running = await openHouse(readConfig([], this.settings), {
      features: this.features,
      passwords: passwordHasher(this.hashCost),
    });
  }

  async shut(): Promise<void> {
    await this.#running?.stop();
    this.#running = undefined;
  }

  /** Until it is opened again it does nothing by itself: for tests that count what is asked, or do such work on their own. */
  async quiet(): Promise<void> {
    await this.running.jobs.stop();
    // What people have read so far would be stored within a second.
    await gathering(this.running.house).store();
  }

  /** The same data, a new process's worth of memory, another port. */
  async restart(): Promise<void> {
    await this.shut();
    await this.open();
  }

  async end(): Promise<void> {
    await this.shut();
    await this.#end();
  }

  /** Registers somebody; the name gets a suffix, so that every test has people of its own. */
  person(name: string): Promise<TestPerson> {
    return TestPerson.register(this, name);
  }
}

/** The code in what a start, or the command for another one, printed. */
export function setupCodeIn(printed: string): string | undefined {
  return /^Set-up code: (\S+)$/m.exec(printed)?.[1];
}

/** Declares `tests` once an engine, each with a house of its own that is open while they run. */
export function onEachEngine(
  title: string,
  tests: (house: () => TestHouse) => void,
  settings: Record<string, string> = {},
  list: readonly Feature[] = features,
): void {
  for (const engine of ["SQLite", "PostgreSQL"] as const) {
    if (engine === "PostgreSQL" && !postgresUrl) {
      describe.skip(`${title} on PostgreSQL (skipped: no PostgreSQL binaries here)`, () =>
        tests(() => missing()));
      continue;
    }
    describe(`${title} on ${engine}`, () => {
      let house: TestHouse;
      beforeAll(async () => {
        house = await makeHouse(engine, settings);
        house.features = list;
        await house.open();
      });
      afterAll(() => house?.end());
      tests(() => house);
    });
  }
}

export async function makeHouse(engine: Engine, settings: Record<string, string>): Promise<TestHouse> {
  const folder = temporaryFolder();
  const base = { PORT: "0", DATA_DIR: folder.path, RATE_LIMITS: "off", LOG_LEVEL: "error", ...settings };
  if (engine === "SQLite") return new TestHouse(engine, base, async () => folder.remove());
  const database = await makeDatabase();
  return new TestHouse(engine, { ...base, DATABASE_URL: database.url }, async () => {
    await database.drop();
    folder.remove();
  });
}

async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `hearth_${randomBytes(6).toString("hex")}`;
  await asAdmin(`create database ${name}`);
  const url = new URL(postgresUrl ?? "");
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(`drop database ${name} with (force)`) };
}

async function asAdmin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

function missing(): never {
  throw new Error("there is no PostgreSQL here");
}
