// `hearth backup` and `hearth restore`, as real processes on each engine: a backup holds all earlier messages.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import type { Message } from "../../features/messages/contract.ts";
import { claim } from "../../server/database/sqlite.ts";
import { BEFORE_ALL } from "../../tools/client/history.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type Child, endProcess, type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { pictureOf } from "../house/material/images.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { fetchFile, upload } from "../house/scenes/files.ts";
import { expectDone, expectRefused, hearth, run } from "./hearth.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
const { PATH = "" } = Bun.env;

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

const inFolder = (name: string) => join(folder.path, name);

for (const engine of engines) {
  describe(`hearth backup on ${engine}`, () => {
    const backedUp = () => inFolder(`${engine}.tar`);
    const host = { url: "" };
    let house: TestHouse;
    let server: ServerProcess;
    let alice: TestPerson;
    let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
    const as = (words: string, of = house) => hearth(words, { PATH, ...of.settings });

    beforeAll(async () => {
      house = await makeHouse(engine, {});
      server = await startServer({ settings: house.settings });
      host.url = server.url;
      alice = await TestPerson.register(host, "alice");
      home = await alice.makeServer();
    });
    afterAll(async () => {
      await server?.stop();
      await house?.end();
    });

    test("beside people who post and upload it ends, and what it gives back is all that was there, in order", async () => {
      const ear = await alice.listen();
      const before: Message[] = [];
      for (let i = 0; i < 50; i++) before.push(await alice.say(home.general.id, `said before, ${i}`));
      const files = await Promise.all([1, 2, 3].map((i) => upload(alice, `${i}.txt`, `file ${i}`)));
      const photo = await upload(alice, "photo.png", await pictureOf("png", { width: 900, height: 90 }));
      const preview = async () => (await fetchFile(alice, photo.preview_url ?? "")).arrayBuffer();
      const previewBefore = await preview();
      await ear.settle();
      const crowd = startCrowd(alice, home.general.id);
      await until(() => crowd.posts > 20, "nobody posts");
      const begun = crowd.posts;
      expectDone(await as(`backup ${backedUp()}`), `${backedUp()} has the database and `);
      expect(crowd.posts - begun).toBeGreaterThan(10);
      await crowd.stop();
      await alice.say(home.general.id, "said after");
      await ear.settle();
      const point = ear.resumePoint;

      expect(statSync(backedUp()).mode & 0o777).toBe(0o600);
      const tried = /Restored aside, its \d+ tables hold the \d+ rows that they held\.\nIt is whole\./;
      expectDone(await as(`restore --check ${backedUp()}`), tried);
      // On a machine without PostgreSQL, everything else is still checked.
      const elsewhere =
        engine === "SQLite" ? tried : /not restored aside: that needs DATABASE_URL.*\nIt is whole\./;
      expectDone(await hearth(`restore --check ${backedUp()}`, { PATH }), elsewhere);
      const other = await makeHouse(engine, {});
      expectDone(await as(`restore ${backedUp()}`, other), "start Hearth with this DATA_DIR");
      const restored = await startServer({ settings: other.settings });
      host.url = restored.url;
      try {
        const there = await everythingIn(alice, home.general.id);
        expect(there.slice(0, before.length)).toEqual(before);
        const ids = there.map(({ id }) => id);
        expect(ids).toEqual([...new Set(ids)].sort());
        expect(there.map(({ content }) => content)).not.toContain("said after");
        for (const [i, { url }] of files.entries())
          expect(await (await fetchFile(alice, url)).text()).toBe(`file ${i + 1}`);
        expect(await preview()).toEqual(previewBefore);
        // A client that is ahead of the copy starts anew.
        const resumed = await alice.listen(point);
        expect(resumed.types).toEqual(["READY"]);
        expect(String(resumed.ready.epoch)).not.toBe(point.epoch);
        await alice.say(home.general.id, "and on it goes");
        await resumed.next("MESSAGE_CREATE");
      } finally {
        host.url = server.url;
        await restored.stop();
        await other.end();
      }
    });

    test("while no server runs it does the same", async () => {
      await server.stop();
      const file = inFolder(`${engine}-stopped.tar`);
      expectDone(await as(`backup ${file}`), "has the database and ");
      expectDone(await as(`restore ${file} --check`), "It is whole.");
      server = await startServer({ settings: house.settings });
      host.url = server.url;
    });

    test("it goes through a pipe, too", async () => {
      const piped = `${process.execPath} cli/main.ts backup - | ${process.execPath} cli/main.ts restore - --check`;
      const ended = await run(["sh", "-c", piped], { PATH, ...house.settings });
      expect(ended.exitCode).toBe(0);
      expect(ended.stdout).toContain("It is whole.");
      expect(ended.stderr).toStartWith("Standard output has the database and ");
    });

    test("an upload that is gone from the folder is told, and does not keep the rest from being saved", async () => {
      const { url } = await upload(alice, "gone.txt", "soon gone");
      const name = url.replace("/files/", "");
      rmSync(join(house.settings.DATA_DIR ?? "", "uploads", name));
      const file = inFolder(`${engine}-gone.tar`);
      const ended = await as(`backup ${file}`);
      expectDone(ended, `1 upload that the database names is not in ${house.settings.DATA_DIR} (${name})`);
      expectDone(await as(`restore ${file} --check`), "1 more was missing already when it was made.");
    });

    test("nothing is overwritten: no file, no folder that holds something, nothing that runs", async () => {
      expectRefused(await as(`backup ${backedUp()}`), "is there already, and no backup is overwritten");
      expectRefused(await as(`restore ${backedUp()}`), "A Hearth runs on");
      const full = temporaryFolder();
      writeFileSync(join(full.path, "letter.txt"), "dear");
      expectRefused(
        await as(`restore ${backedUp()} --data-dir ${full.path}`),
        "is not empty, and nothing is overwritten",
      );
      expect(readdirSync(full.path)).toEqual(["letter.txt"]);
      full.remove();
    });

    test("a restore that was cut off keeps a server from starting on the half of it", async () => {
      const half = temporaryFolder();
      mkdirSync(join(half.path, "hearth.restoring"));
      const settings = { ...house.settings, DATA_DIR: half.path };
      expectRefused(await hearth(`restore ${backedUp()}`, { PATH, ...settings }), "was cut off");
      expectRefused(await hearth("serve", { PATH, ...settings }), "a restore into it is under way");
      half.remove();
    });

    test("killed in the middle it leaves nothing under the name; asked to stop, nothing at all", async () => {
      for (const signal of ["SIGKILL", "SIGTERM"] as const) {
        const target = inFolder(`${engine}-${signal}.tar`);
        const left = () => readdirSync(folder.path).filter((name) => name.startsWith(`${engine}-${signal}`));
        // A backup that ended before the signal proves nothing: try again.
        for (let child: Child | undefined; child === undefined || child.exitCode === 0; ) {
          rmSync(target, { force: true });
          child = spawn(process.execPath, ["cli/main.ts", "backup", target], {
            env: { PATH, ...house.settings },
            stdio: ["ignore", "pipe", "pipe"],
          });
          await until(() => left().length > 0, "it never began");
          await endProcess(child, signal);
        }
        expect(existsSync(target)).toBe(false);
        if (signal === "SIGTERM") expect(left()).toEqual([]);
        expectDone(await as(`backup ${target}`), "has the database and ");
      }
    });

    test("of an encrypted one the plain copy lies in DATA_DIR, and goes when it is asked to stop", async () => {
      const passphrase = inFolder(`${engine}-passphrase`);
      writeFileSync(passphrase, "a long walk by the sea\n");
      const data = house.settings.DATA_DIR ?? "";
      const copies = () => readdirSync(data).filter((name) => name.startsWith("backup-copy-"));
      const target = inFolder(`${engine}-secret.tar.age`);
      const env = { PATH, ...house.settings, BACKUP_PASSPHRASE_FILE: passphrase };
      const child = spawn(process.execPath, ["cli/main.ts", "backup", target], {
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      await until(() => copies().length > 0, "it never began");
      await endProcess(child, "SIGTERM");
      expect(copies()).toEqual([]);
      const other = claim(join(data, "backup-copy.lock"));
      expectRefused(await hearth(`backup ${inFolder("second.age")}`, env), "is being made: wait for its end");
      other.close();
    });
  });
}

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a role that may not create databases makes backups, and a check says what it could not try",
  async () => {
    const house = await makeHouse("PostgreSQL", {});
    const role = `plain_${randomUUID().slice(0, 8)}`;
    await house.open();
    const { database } = house.running.house;
    await sql`create role ${sql.ref(role)} login nocreatedb in role pg_read_all_data`.execute(database.read);
    try {
      const url = new URL(house.settings.DATABASE_URL ?? "");
      url.username = role;
      const settings = { PATH, ...house.settings, DATABASE_URL: url.href };
      const file = inFolder("plain-role.tar");
      expectDone(await hearth(`backup ${file}`, settings), "has the database and ");
      const check = await hearth(`restore --check ${file}`, settings);
      expectDone(check, /not restored aside: that needs DATABASE_URL with a role that may create databases/);
      expect(check.stdout).toEndWith("It is whole.\n");
    } finally {
      await sql`drop role ${sql.ref(role)}`.execute(database.read);
      await house.end();
    }
  },
);

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "a restore into PostgreSQL that cannot begin a log of its own leaves nothing, and can be tried again",
  async () => {
    const [house, other] = [await makeHouse("PostgreSQL", {}), await makeHouse("PostgreSQL", {})];
    await house.open();
    await house.person("alice");
    const { database } = house.running.house;
    // Only the commands under test delete from this table.
    await sql`create function never() returns trigger language plpgsql as 'begin raise ''not this''; end'`.execute(
      database.read,
    );
    await sql`create trigger never before delete on instance for each row execute function public.never()`.execute(
      database.read,
    );
    const file = inFolder("undeletable.tar");
    expectDone(await hearth(`backup ${file}`, { PATH, ...house.settings }), "has the database and ");
    for (let time = 1; time <= 2; time++) {
      expectRefused(await hearth(`restore ${file}`, { PATH, ...other.settings }), "not this");
      expect(readdirSync(other.settings.DATA_DIR ?? "")).toEqual([]);
    }
    await sql`drop function never() cascade`.execute(database.read);
    const sound = inFolder("deletable.tar");
    expectDone(await hearth(`backup ${sound}`, { PATH, ...house.settings }), "has the database and ");
    expectDone(await hearth(`restore ${sound}`, { PATH, ...other.settings }), "start Hearth");
    await house.end();
    await other.end();
  },
);

/** Eight concurrent writers, and now and then an upload, until it is stopped. */
function startCrowd(person: TestPerson, channelId: string) {
  let going = true;
  const crowd = { posts: 0, stop };
  const talking = Promise.all(Array.from({ length: 8 }, talk));
  async function talk(_: unknown, who: number): Promise<void> {
    for (let i = 0; going; i++) {
      await person.say(channelId, `${who} says ${i}`);
      crowd.posts++;
      if (who === 0 && i % 20 === 0) await upload(person, `${who}-${i}.txt`, `${who} of ${i}`);
    }
  }
  async function stop(): Promise<void> {
    going = false;
    await talking;
  }
  return crowd;
}

/** All messages of a channel, oldest first. */
async function everythingIn(person: TestPerson, channelId: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let after = BEFORE_ALL; ; ) {
    const { body } = await person.get<Message[]>(`/channels/${channelId}/messages?limit=100&after=${after}`);
    const newest = body[0];
    if (!newest) return all;
    all.push(...body.toReversed());
    after = newest.id;
  }
}
