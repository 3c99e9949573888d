// Makes the fixture of release.long.test.ts with the real server of a release, in a checkout of it with its packages:
// `npx bun tests/start/release/make.ts CHECKOUT`.
import { Database } from "bun:sqlite";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "../../house/machine/folder.ts";
import { type ServerProcess, startServer } from "../../house/machine/process.ts";
import type { Engine } from "../../house/open/engines.ts";
import type { ResumePoint } from "../../house/people/ear.ts";
import type { TestPerson } from "../../house/people/people.ts";
import { startPostgres } from "../../house/servers/postgres.ts";
import {
  type Acquaintance,
  answersTo,
  callersAt,
  folderOf,
  type Known,
  pathsTo,
  publicUrl,
  writeKnown,
} from "./known.ts";
import type { RawEar } from "./raw-ear.ts";
import { clearOut, goOn, moveIn, type Stage } from "./scene.ts";

/** How long to wait after a start: recurring jobs first run after 1 s, and the one that sweeps again 5 s later. */
const firstJobsMs = 1500;

const checkout = resolve(process.argv[2] ?? "");
const release = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: checkout,
  encoding: "utf8",
}).trim();

await keep("SQLite", {});
await using postgres = await startPostgres(false);
if (!postgres) throw new Error("There is no PostgreSQL here to make the other half.");
await keep("PostgreSQL", { DATABASE_URL: postgres.url });
execFileSync("npx", ["biome", "format", "--write", ...(["SQLite", "PostgreSQL"] as const).map(folderOf)]);

async function keep(engine: Engine, database: Record<string, string>): Promise<void> {
  const folder = temporaryFolder();
  const into = folderOf(engine);
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const settings = { DATA_DIR: folder.path, PUBLIC_URL: publicUrl, ...database };
  await live(engine, () =>
    startServer({ settings, command: [process.execPath, join(checkout, "server/main.ts")] }),
  );
  cpSync(join(folder.path, "uploads"), join(into, "uploads"), { recursive: true });
  if (database.DATABASE_URL) dumpPostgres(database.DATABASE_URL, into);
  else copySqlite(folder.path, into);
  folder.remove();
}

/** Runs the server twice: the first run is stopped, the second is killed after the last answer. */
async function live(engine: Engine, start: () => Promise<ServerProcess>): Promise<void> {
  let server = await start();
  const host = { url: server.url };
  const stage = await moveIn(host);
  const known = knownOf(stage);
  const callers = callersAt(host, known.authorizations);
  const { ada: _, ...listeners } = callers;
  const points = await ofEach(listeners, pointOf);
  await server.stop();

  server = await start();
  host.url = server.url;
  await Bun.sleep(firstJobsMs);
  const { cleo, bot } = callers;
  const witnesses = { cleo: await cleo.listen(points.cleo), bot: await bot.listen(points.bot) };
  await goOn(stage);
  await clearOut(stage);
  const missed = await ofEach(witnesses, whatWasHeard);
  const answers = await ofEach(callers, (who) => answersTo(who, pathsTo(known)));
  const files: Record<string, string> = {};
  for (const url of stage.talk.files) files[url] = await cleo.file(url);
  const madeAt = new Date().toISOString();
  await server.kill();
  writeKnown(engine, { release, madeAt, ...known, points, missed, files }, answers);
}

/** Calls `take` for one after the other: presence is part of the answers to others. */
async function ofEach<Name extends string, From, To>(
  all: Record<Name, From>,
  take: (each: From) => Promise<To>,
): Promise<Record<Name, To>> {
  const taken: Partial<Record<Name, To>> = {};
  for (const name of Object.keys(all) as Name[]) taken[name] = await take(all[name]);
  return taken as Record<Name, To>;
}

async function pointOf(who: Acquaintance): Promise<Required<ResumePoint>> {
  const ear = await who.listen();
  ear.close();
  await ear.closed;
  return ear.resumePoint;
}

async function whatWasHeard(witness: RawEar): Promise<Record<string, string[]>> {
  await witness.next("CHANNEL_DELETE");
  await witness.settle();
  witness.close();
  await witness.closed;
  return witness.numbered;
}

type Lasting = Omit<Known, "release" | "madeAt" | "points" | "missed" | "files">;

function knownOf({ people, bot, garden, kitchen, attic, rooms, talk, ...stage }: Stage): Lasting {
  const { secret, id, rpId, userHandle, counter } = stage.passkey;
  const { ada, ben, cleo } = people;
  const named = ({ id, username, email, password }: TestPerson) => ({ id, username, email, password });
  return {
    people: { ada: named(ada), ben: named(ben), cleo: named(cleo) },
    authorizations: {
      ada: `Bearer ${ada.token}`,
      ben: `Bearer ${ben.token}`,
      cleo: `Bearer ${cleo.token}`,
      bot: `Bot ${bot.token}`,
    },
    ids: {
      ...{ garden: garden.id, kitchen: kitchen.id, attic: attic.id, general: garden.general.id },
      ...{ ...rooms, bot: bot.id, taken: talk.taken, shown: talk.shown },
    },
    webhook: stage.webhook,
    invite: stage.plans.invite,
    passkey: { key: secret.export({ format: "jwk" }), id, rpId, userHandle, counter },
    pushed: stage.pushed,
  };
}

/** Copies the database into one file, without a write-ahead log. */
function copySqlite(dataDir: string, into: string): void {
  const copy = join(dataDir, "copy.db");
  const database = new Database(join(dataDir, "hearth.db"));
  database.run("VACUUM INTO ?", [copy]);
  database.close();
  writeFileSync(join(into, "hearth.db.gz"), gzipSync(readFileSync(copy), { level: 9 }));
}

/** Dumps statements that any PostgreSQL takes: without psql commands, or a setting that older versions do not have. */
function dumpPostgres(url: string, into: string): void {
  const how = ["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100", `--dbname=${url}`];
  const dump = execFileSync("pg_dump", how, { encoding: "utf8" });
  const statements = dump.replace(/^(\\|SET transaction_timeout).*\n/gm, "");
  writeFileSync(join(into, "hearth.sql.gz"), gzipSync(statements, { level: 9 }));
}
