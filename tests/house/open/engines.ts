// Runs the same tests in a fresh house: always on SQLite, and on PostgreSQL with three processes or one.
import { afterAll, beforeAll, describe } from "bun:test";
import { gathering } from "../../../features/read-states/gathering.ts";
import { readConfig } from "../../../server/config/config.ts";
import { features } from "../../../server/features.ts";
import type { Feature } from "../../../server/house/feature.ts";
import { openHouse, type RunningHouse } from "../../../server/open.ts";
import { runCommand } from "../../../server/operator/listen.ts";
import { type HashCost, passwordHasher } from "../../../server/passwords.ts";
import { temporaryFolder } from "../machine/folder.ts";
import { noteOpen, noteShut } from "../people/at-rest.ts";
import { allHeard, Beside } from "../people/beside.ts";
import { TestPerson } from "../people/people.ts";
import { canStore, startS3 } from "../servers/s3.ts";
import { copyMigrated, makeDatabase } from "./template.ts";

export type Engine = "SQLite" | "PostgreSQL";

/** Set by the test runner; undefined where the binaries were not found. */
const { HEARTH_TEST_POSTGRES: postgresUrl, HEARTH_TEST_REDIS: redisUrl } = Bun.env;

/** Real password hashes in a tenth of a millisecond instead of forty: tests register people by the thousand. */
const quick: HashCost = { memoryCost: 8, timeCost: 1 };

export class TestHouse {
  readonly engine: Engine;
  readonly settings: Record<string, string>;
  /** The cost of a password hash from the next opening on; undefined: the same as in production. */
  hashCost: HashCost | undefined = quick;
  /** Hearth's own features, unless a test is about the machine without them. */
  features: readonly Feature[] = features;
  /** Number of further processes that share this house by PostgreSQL and Redis. */
  beside = 0;
  #running: RunningHouse | undefined;
  #beside: Beside | undefined;
  readonly #end: () => Promise<void>;

  constructor(engine: Engine, settings: Record<string, string>, end: () => Promise<void>) {
    this.engine = engine;
    this.settings = settings;
    this.#end = end;
  }

  /** The first process, or the only one. */
  get running(): RunningHouse {
    if (!this.#running) throw new Error("the house is closed");
    return this.#running;
  }

  /** All processes. */
  get all(): readonly RunningHouse[] {
    return this.#beside?.all ?? [this.running];
  }

  /** The address for calls and sockets: with several processes, another one each time. */
  get url(): string {
    return this.#beside?.url ?? this.running.url;
  }

  /** The base of the links that the house makes. */
  get publicUrl(): string {
    return this.running.house.publicUrl;
  }

  /** The set-up code as the start prints it; undefined where none is needed. */
  get setupCode(): string | undefined {
    return setupCodeIn(this.running.greeting.join("\n"));
  }

  async open(): Promise<void> {
    const open = (settings: Record<string, string>) =>
      openHouse(readConfig([], settings), {
        features: this.features,
        passwords: passwordHasher(this.hashCost),
      });
    this.#running = await open(this.settings);
    if (this.beside > 0) this.#beside = await Beside.open(this.#running, this.beside, this.settings, open);
    noteOpen(this.all);
  }

  async shut(): Promise<void> {
    if (this.#running) noteShut(this.all);
    await Promise.all([this.#beside?.close(), this.#running?.stop()]);
    this.#beside = undefined;
    this.#running = undefined;
  }

  /** Stops all background work until the next opening: for tests that count statements, or do such work themselves. */
  async quiet(): Promise<void> {
    await this.stopJobs();
    for (const { tail, house } of this.all) {
      await tail?.stop();
      // Read markers so far would be stored within a second.
      await gathering(house).store();
    }
  }

  /** Stops all recurring jobs until the next opening; the processes go on hearing from each other. */
  async stopJobs(): Promise<void> {
    for (const { jobs } of this.all) await jobs.stop();
  }

  /** Shuts down and opens again: the same data, empty caches, another port. */
  async restart(): Promise<void> {
    await this.shut();
    await this.open();
  }

  /** Runs an operator's command in the first process. */
  async command(words: readonly string[]) {
    const answer = await runCommand(this.running.house, words);
    await this.heard();
    return answer;
  }

  /** Resolves when each process has received what the others have sent so far. */
  async heard(): Promise<void> {
    await allHeard(this.running.url);
  }

  async end(): Promise<void> {
    await this.shut();
    await this.#end();
  }

  /** Registers a person; the name gets a suffix, so that every test has people of its own. */
  person(name: string): Promise<TestPerson> {
    return TestPerson.register(this, name);
  }
}

/** Returns the set-up code in the output of a start, or of the command for a new code. */
export function setupCodeIn(printed: string): string | undefined {
  return /^Set-up code: (\S+)$/m.exec(printed)?.[1];
}

type Tests = (house: () => TestHouse) => void;

/**
 * Declares `tests` once on SQLite and once on three processes with PostgreSQL and Redis, each with a house of its own
 * that is open while they run. People's calls and sockets go to each process in turn.
 */
export function onEachEngine(
  title: string,
  tests: Tests,
  settings: Record<string, string> = {},
  list: readonly Feature[] = features,
): void {
  declare(
    `${title} on SQLite`,
    tests,
    () => makeHouse("SQLite", settings, undefined, list === features),
    list,
  );
  const where = `${title} on three processes`;
  if (postgresUrl && redisUrl) declare(where, tests, () => makeProcesses(settings, list === features), list);
  else skip(`${where} (skipped: no PostgreSQL or no Redis here)`, tests);
}

/**
 * The same with uploads: once on the disk beside SQLite, and once in an S3 store that all three processes share.
 */
export function onEachStore(title: string, tests: Tests, settings: Record<string, string> = {}): void {
  declare(`${title} on SQLite`, tests, () => makeHouse("SQLite", settings, undefined, true), features);
  const where = `${title} on three processes with an S3 store`;
  if (postgresUrl && redisUrl && canStore) declare(where, tests, () => makeStoring(settings), features);
  else skip(`${where} (skipped: no PostgreSQL, no Redis or no S3 store here)`, tests);
}

/**
 * Declares `tests` once on SQLite and once on PostgreSQL, with a single process, for tests that count its statements or
 * look into its memory, its log or its folder.
 */
export function onOneProcess(
  title: string,
  tests: Tests,
  settings: Record<string, string> = {},
  list: readonly Feature[] = features,
): void {
  declare(
    `${title} on SQLite`,
    tests,
    () => makeHouse("SQLite", settings, undefined, list === features),
    list,
  );
  const where = `${title} on PostgreSQL`;
  const make = () => makeHouse("PostgreSQL", settings, undefined, list === features);
  if (postgresUrl) declare(where, tests, make, list);
  else skip(`${where} (skipped: no PostgreSQL binaries here)`, tests);
}

function declare(
  title: string,
  tests: Tests,
  make: () => Promise<TestHouse>,
  list: readonly Feature[],
): void {
  describe(title, () => {
    let house: TestHouse;
    beforeAll(async () => {
      house = await make();
      house.features = list;
      await house.open();
    });
    afterAll(() => house?.end());
    tests(() => house);
  });
}

function skip(title: string, tests: Tests): void {
  describe.skip(title, () => tests(() => missing()));
}

async function makeProcesses(
  settings: Record<string, string>,
  isMigrated: boolean,
  end?: () => Promise<void>,
): Promise<TestHouse> {
  const house = await makeHouse("PostgreSQL", { REDIS_URL: redisUrl ?? "", ...settings }, end, isMigrated);
  house.beside = 2;
  return house;
}

async function makeStoring(settings: Record<string, string>): Promise<TestHouse> {
  const s3 = await startS3();
  return makeProcesses({ ...s3.settings("uploads"), ...settings }, true, async () => {
    await s3[Symbol.asyncDispose]();
  });
}

/** `end` releases what was started for the house. The database is empty, or migrated if `isMigrated`. */
export async function makeHouse(
  engine: Engine,
  settings: Record<string, string>,
  end = async () => {},
  isMigrated = false,
): Promise<TestHouse> {
  const folder = temporaryFolder();
  const base = { PORT: "0", DATA_DIR: folder.path, RATE_LIMITS: "off", LOG_LEVEL: "error", ...settings };
  if (engine === "SQLite") {
    if (isMigrated) await copyMigrated(folder.path);
    return new TestHouse(engine, base, async () => folder.remove());
  }
  const database = await makeDatabase(postgresUrl ?? "", isMigrated);
  return new TestHouse(engine, { ...base, DATABASE_URL: database.url }, async () => {
    await database.drop();
    folder.remove();
    await end();
  });
}

function missing(): never {
  throw new Error("there is no PostgreSQL here");
}
