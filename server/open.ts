// Builds a house from its settings, opens its sockets, and closes it again.
import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Migration } from "kysely";
import { deleteDrafts, keptOnDisk } from "./blobs/disk.ts";
import { openBlobs, uploadsFolder } from "./blobs/open.ts";
import { openBus } from "./bus/open.ts";
import { clientIpReader } from "./caller/client-ip.ts";
import { noteUnreadHop } from "./caller/unread-hop.ts";
import { CannotStart } from "./cannot-start.ts";
import type { Config } from "./config/config.ts";
import { Damaged, type Database } from "./database/database.ts";
import { selectHighestId } from "./database/highest-id.ts";
import { decideOnce } from "./database/instance.ts";
import type { Report } from "./database/migrate.ts";
import { expectHome } from "./database/moved.ts";
import { openDatabase } from "./database/open.ts";
import type { Patience } from "./database/patience.ts";
import { Gateway } from "./gateway/gateway.ts";
import { Clock, noteTime, recallTime } from "./house/clock.ts";
import type { Feature } from "./house/feature.ts";
import { House } from "./house/house.ts";
import { type Jobs, startJobs } from "./house/jobs.ts";
import { logMigrations } from "./house/log-migrations.ts";
import { rolledOutBy } from "./house/roll-out.ts";
import { sweepingMigrations } from "./house/sweeping.ts";
import { openHttp } from "./http/http.ts";
import { checkHost, type HttpServer, listen } from "./http/listen.ts";
import { openLimits } from "./limits/open.ts";
import { openOperatorSocket } from "./operator/listen.ts";
import { type PasswordHasher, passwordHasher } from "./passwords.ts";
import { knowOthers } from "./processes/connections-elsewhere.ts";
import { otherProcesses } from "./processes/others.ts";
import { followOthers, type Tail } from "./processes/tail.ts";
import { type OpenLog, openLog, type SecretPath } from "./telemetry/log.ts";
import { Metrics } from "./telemetry/metrics.ts";
import { idsRiseFrom, newId } from "./tokens.ts";

export interface RunningHouse {
  house: House;
  /** The listening URL, without a trailing slash. */
  url: string;
  /** Lines for the operator after the ready line. */
  greeting: readonly string[];
  gateway: Gateway;
  /** The recurring jobs. */
  jobs: Jobs;
  /** Learns of other processes' commits through the database. */
  tail: Tail | undefined;
  /** Stops accepting, closes the sockets with 1012, lets running requests finish, closes the database. */
  stop(): Promise<void>;
}

/** A folder inside the data folder until a restore into it is complete. */
export const restoreFolder = "hearth.restoring";

/** How long running requests may take to finish when the house is closed, in milliseconds. */
const finishMs = 7500;
/** Timeout of the last note in the database, in milliseconds: a silent one must not keep the house from closing. */
const lastNoteMs = 300;

/**
 * The parts of a house that tests vary: those that register thousands of people pass a faster hasher, and those of a
 * database that blocks or is silent other timeouts.
 */
interface HouseOptions {
  /** In the order of their dependencies. */
  features: readonly Feature[];
  passwords?: PasswordHasher;
  patience?: Patience;
}

/** Throws CannotStart with a sentence when a setting, the folder or the database does not allow it. */
export async function openHouse(config: Config, options: HouseOptions): Promise<RunningHouse> {
  await checkHost(config.host);
  makeDataDir(config.dataDir);
  const log = openLog(config, secretPathsOf(options.features));
  const database = await openDatabase(config, options.patience);
  try {
    await migrate(database, options.features, log);
    return await run(config, database, options, log);
  } catch (error) {
    // Before closing: every error of a closed database counts as its being away.
    const isAway = database.isAway(error);
    await database.close();
    if (error instanceof Damaged) throw new CannotStart(error.message, { cause: error });
    if (isAway)
      throw new CannotStart(`The database cannot be used: ${(error as Error).message}.`, { cause: error });
    throw error;
  }
}

/**
 * Runs work with a house that does not listen, for the command line while no server runs; closes it afterwards. Throws
 * CannotStart as openHouse does.
 */
export async function inClosedHouse<T>(
  config: Config,
  options: HouseOptions,
  work: (house: House) => Promise<T>,
): Promise<T> {
  makeDataDir(config.dataDir);
  const log = openLog(config, secretPathsOf(options.features));
  const database = await openDatabase(config);
  try {
    await migrate(database, options.features, log);
    const house = await build(config, database, options, log);
    try {
      return await work(house);
    } finally {
      await closeFeatures(house);
      closeParts(house);
    }
  } finally {
    await database.close();
  }
}

/** Long migrations report their progress. SQLite blocks the event loop meanwhile, so each line is flushed. */
async function migrate(database: Database, features: readonly Feature[], { log }: OpenLog): Promise<void> {
  await expectHome(database.read);
  await database.migrate(
    allMigrations(features, database.engine, (progress) => {
      log.info(progress);
      log.flush();
    }),
  );
}

function secretPathsOf(features: readonly Feature[]): SecretPath[] {
  return features.flatMap(({ operations, secretPages = [] }) => [
    ...secretPages,
    ...operations.flatMap(({ operation: { path, secretParam } }) =>
      secretParam === undefined ? [] : { path, secretParam },
    ),
  ]);
}

async function build(
  config: Config,
  database: Database,
  { features, passwords = passwordHasher() }: HouseOptions,
  log: OpenLog,
): Promise<House> {
  const highestId = await selectHighestId(database);
  const { aliveAt, lastId } = await recallTime(database, highestId);
  for (const id of [highestId, lastId]) if (id) idsRiseFrom(id);
  // Identifies the log: a client may only resume in the log that it followed.
  const epoch = await database.transaction((db) => decideOnce(db, "epoch", newId()));
  const house = new House({
    config,
    database,
    blobs: await openBlobs(config, epoch),
    bus: await openBus({ config, database, epoch, log: log.log }),
    limits: await openLimits(config, epoch, (trouble) =>
      log.log.warn({ trouble }, "Redis takes nothing: each process counts limits on rates for itself"),
    ),
    log,
    clock: new Clock(log.log, aliveAt),
    metrics: new Metrics(),
    passwords,
    features,
    others: otherProcesses(database),
    epoch,
    rolledOutBy: await rolledOutBy(database.read),
  });
  for (const feature of features) await feature.opening?.(house);
  return house;
}

async function run(
  config: Config,
  database: Database,
  options: HouseOptions,
  log: OpenLog,
): Promise<RunningHouse> {
  const house = await build(config, database, options, log);
  const tail = await followOthers(house);
  await knowOthers(house);
  const greeting: string[] = [];
  for (const feature of options.features) greeting.push(...((await feature.starting?.(house)) ?? []));
  const gateway = new Gateway(house, house.bus);
  const clientIp = clientIpReader(config.trustedProxies, (hop) => noteUnreadHop(house, hop));
  const operator = await openOperatorSocket(house);
  let http: HttpServer;
  try {
    // With the operator's socket the folder is this process's: drafts in it were left by a crash.
    await deleteDrafts(uploadsFolder(config));
    http = listen(house, gateway, openHttp(house, clientIp));
  } catch (error) {
    operator.close();
    await tail?.stop();
    await house.connections.stop();
    throw error;
  }
  await warn(house);
  logTroubles(house);
  const jobs = startJobs(house);
  return {
    house,
    url: house.listeningUrl,
    greeting,
    gateway,
    jobs,
    tail,
    async stop() {
      house.isLeaving = true;
      void jobs.stop();
      operator.close();
      gateway.close("restart");
      await Promise.all([house.connections.stop(), http.close(finishMs)]);
      await closeFeatures(house);
      await tail?.stop();
      await Promise.race([noteTime(database, house.clock), sleep(lastNoteMs)]).catch(() => {});
      closeParts(house);
      await database.close();
    },
  };
}

/** Logs warnings for the operator at the start. */
async function warn({ config, database, log, publicUrl: url, listeningUrl }: House): Promise<void> {
  for (const note of database.notes) log.warn(note);
  if (config.s3 && !(await keptOnDisk(uploadsFolder(config)).all().next()).done)
    log.warn(
      "S3_URL is set, and uploads lie in DATA_DIR, where nobody finds them: hearth blobs copy --to s3, then remove them",
    );
  if (config.redisUrl && !config.s3)
    log.warn("S3_URL is not set: uploads are kept in DATA_DIR, where no other process finds them");
  if (!config.publicUrl && url !== listeningUrl)
    log.warn(
      { url },
      "PUBLIC_URL is not set: links in mails and pushes lead to this machine only, and pages may call at numbers and at names of a home only",
    );
}

/** Timeout of the features' closing, in milliseconds: a silent database must not keep the process from ending. */
const closingMs = 1000;

async function closeFeatures(house: House): Promise<void> {
  const closing = house.features.map((feature) => feature.close?.(house));
  await Promise.race([Promise.all(closing), sleep(closingMs)]);
}

function closeParts({ bus, limits, blobs, log }: House): void {
  for (const part of [bus, limits, blobs]) part.close();
  log.flush();
}

/** Logs one line when writes or uploads begin to be refused and one when they are accepted again. */
function logTroubles({ database, blobs, log }: House): void {
  for (const [what, storage] of Object.entries({ writes: database, uploads: blobs })) {
    storage.onTrouble((trouble) => {
      if (trouble) log.error({ what, err: trouble.cause }, `no ${what} are taken: ${trouble.sentence}`);
      else log.info({ what }, `${what} are taken again`);
    });
  }
  blobs.onWrongBytes((file) =>
    log.error({ file }, "the S3 store gives other bytes of a file than it took: its readers get an error"),
  );
  database.replica?.start((reason) => {
    if (reason === undefined) log.info("the replica serves old pages");
    else log.warn({ reason }, "the replica is not used: the primary serves alone");
  });
}

/** The machine's own migrations and those of these features, by name. */
export function allMigrations(
  features: readonly Feature[],
  engine: Database["engine"],
  report?: Report,
): Record<string, Migration> {
  return Object.assign(
    logMigrations(engine, report),
    sweepingMigrations(engine),
    ...features.map((feature) => feature.migrations?.(engine, report) ?? {}),
  );
}

// Only its owner may read the folder: it holds everybody's messages. A folder with foreign files keeps its mode, and is
// refused when others may read it.
function makeDataDir(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const inside = readdirSync(folder);
    if (inside.includes(restoreFolder))
      throw new Error(
        "a restore into it is under way, or did not come to its end; then empty it and begin again",
      );
    const isOurs = inside.length === 0 || inside.some((name) => name.startsWith("hearth."));
    if (isOurs) chmodSync(folder, 0o700);
    else if (statSync(folder).mode & 0o077)
      throw new Error("it holds other files and others may read it; name a folder of its own");
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new CannotStart(
      `The data folder ${folder} (DATA_DIR) cannot be used: ${(error as Error).message}.`,
    );
  }
}
