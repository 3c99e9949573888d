// Runs the same tests in a fresh house: on SQLite always; beside it on PostgreSQL, in three processes or in one.
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

/** Set by the test runner; absent where no binaries were found. */
const { HEARTH_TEST_POSTGRES: postgresUrl, HEARTH_TEST_REDIS: redisUrl } = Bun.env;

/** Real hashes that take a tenth of a millisecond instead of forty: people are registered by the thousand. */
const quick: HashCost = { memoryCost: 8, timeCost: 1 };

export class TestHouse {
  readonly engine: Engine;
  readonly settings: Record<string, string>;
  /** What a password hash costs from the next opening on; undefined: as much as in a server. */
  hashCost: HashCost | undefined = quick;
  /** Those of Hearth, unless a test is about the machine without them. */
  features: readonly Feature[] = features;
  /** How many more processes are this house, with PostgreSQL and Redis between them. */
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

  /** Where it can be reached: of several processes that of another each time. */
  get url(): string {
    return this.#beside?.url ?? this.running.url;
  }

  /** What its links begin with. */
  get publicUrl(): string {
    return this.running.house.publicUrl;
  }

  /** As the operator reads it where the server was started; undefined where none is needed. */
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

  /** Until it is opened again it does nothing by itself: for tests that count what is asked, or do such work on their own. */
  async quiet(): Promise<void> {
    await this.stopJobs();
    for (const { tail, house } of this.all) {
      await tail?.stop();
      // What people have read so far would be stored within a second.
      await gathering(house).store();
    }
  }

  /** Until it is opened again it does no recurring work; its processes go on hearing of each other. */
  async stopJobs(): Promise<void> {
    for (const { jobs } of this.all) await jobs.stop();
  }

  /** The same data, a new process's worth of memory, another port. */
  async restart(): Promise<void> {
    await this.shut();
    await this.open();
  }

  /** What the operator says where the first process runs. */
  async command(words: readonly string[]) {
    const answer = await runCommand(this.running.house, words);
    await this.heard();
    return answer;
  }

  /** Resolves when all processes have heard what each of them did so far. */
  async heard(): Promise<void> {
    await allHeard(this.running.url);
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
 * The same for uploads: once on the disk beside SQLite, and once in an S3 store, in which all of the three processes
 * find them.
 */
export function onEachStore(title: string, tests: Tests, settings: Record<string, string> = {}): void {
  declare(`${title} on SQLite`, tests, () => makeHouse("SQLite", settings, undefined, true), features);
  const where = `${title} on three processes with an S3 store`;
  if (postgresUrl && redisUrl && canStore) declare(where, tests, () => makeStoring(settings), features);
  else skip(`${where} (skipped: no PostgreSQL, no Redis or no S3 store here)`, tests);
}

/**
 * Declares `tests` once on SQLite and once on PostgreSQL, for what is about one process: they count its statements, or
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

/** `end` ends what was begun for it. A database is empty, or has all tables already. */
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
