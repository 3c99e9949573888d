// `hearth doctor`: a healthy house, and each possible fault, named with the setting that mends it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { GifProviderDouble, gifKey } from "../doubles/gif-provider.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { startServer } from "../house/machine/process.ts";
import { makeHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { MailBox } from "../house/servers/mail-box.ts";
import { examine } from "./hearth.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("a folder that is not there yet: nothing is wrong, and nothing is made", async () => {
  const data = join(folder.path, "data");
  const { exitCode, findings } = await examine({ DATA_DIR: data, PORT: String(await freePort()) });
  expect(exitCode).toBe(0);
  expect(findings).toMatchObject({
    "data folder": expect.stringMatching(/^note: .*does not exist yet/),
    server: expect.stringMatching(/^off: No Hearth runs/),
    database: expect.stringMatching(/^note: There is none yet/),
    pictures: "ok: None of other hosts are kept yet.",
    port: expect.stringMatching(/^ok: .* is free/),
    mail: expect.stringMatching(/^off: /),
  });
  expect(existsSync(data)).toBe(false);
});

test("a house that runs, and the same after it has stopped", async () => {
  const settings = { DATA_DIR: folder.path, PORT: String(await freePort()) };
  const url = `http://127.0.0.1:${settings.PORT}`;
  const server = await startServer({ settings });
  const running = await examine({ ...settings, PUBLIC_URL: url });
  expect(running.exitCode).toBe(0);
  expect(running.findings).toMatchObject({
    settings: expect.stringMatching(/^ok/),
    "data folder": expect.stringMatching(/^ok/),
    server: expect.stringMatching(/^ok: Hearth .* runs at http/),
    database: expect.stringMatching(/^ok: .*sqlite.* is ready/),
    port: `ok: The running server answers at ${url}.`,
    integrity: "ok: SQLite finds nothing wrong in the database.",
    "public address": `ok: A Hearth answers at ${url}.`,
    sockets: `ok: They can be opened at ${url}/ws.`,
    uploads: `ok: Files of 25 MiB come through ${url}.`,
  });
  const other = temporaryFolder();
  const beside = await examine({ ...settings, DATA_DIR: other.path });
  expect(beside.exitCode).toBe(1);
  expect(beside.findings.port).toMatch(/^wrong: .*PORT.* taken by a Hearth with another data folder/);
  other.remove();

  await server.stop();
  const { exitCode, findings } = await examine(settings);
  expect(exitCode).toBe(0);
  expect(findings.database).toMatch(/^ok: SQLite 3\.\d+\.\d+; its tables are those of this version/);
  const again = await startServer({ settings });
  await again.stop();
});

test("a port that another program has", async () => {
  const program = createServer();
  const port = await freePort();
  await new Promise<void>((done) => program.listen(port, "127.0.0.1", done));
  const { exitCode, findings } = await examine({ DATA_DIR: folder.path, PORT: String(port) });
  program.close();
  expect(exitCode).toBe(1);
  expect(findings.port).toBe(`wrong: 127.0.0.1:${port} (HOST, PORT) is taken by another program.`);
});

describe("what is wrong", () => {
  const wrong = async (settings: Record<string, string>, words?: string) => {
    const { exitCode, findings } = await examine({ DATA_DIR: folder.path, PORT: "0", ...settings }, words);
    expect(exitCode).toBe(1);
    return findings;
  };

  test("a setting", async () => {
    expect(await wrong({ PORT: "many" })).toEqual({ settings: expect.stringMatching(/^wrong: .*PORT/) });
  });

  test("a database of a newer Hearth, or none that answers, or no database at all", async () => {
    const house = await makeHouse("SQLite", {});
    await house.open();
    await house.running.house.database.transaction(async (db) => {
      const row = { name: "9999_tomorrow", timestamp: "2099-01-01T00:00:00.000Z" };
      await db
        .insertInto("kysely_migration" as never)
        .values(row as never)
        .execute();
    });
    await house.shut();
    expect((await wrong(house.settings)).database).toMatch(/^wrong: .*newer version/);
    await house.end();

    const away = "postgres://somebody:secret@127.0.0.1:9/chat";
    const { database } = await wrong({ DATABASE_URL: away });
    expect(database).toMatch(/^wrong: .*DATABASE_URL does not answer/);
    expect(database).not.toContain("secret");

    writeFileSync(join(folder.path, "hearth.db"), "no database ".repeat(1000));
    expect((await wrong({})).database).toMatch(/^wrong: .*hearth\.db cannot be used/);
  });

  test("a database that is damaged inside, also while a Hearth runs on it", async () => {
    const file = join(folder.path, "hearth.db");
    const settings = { DATA_DIR: folder.path, PORT: "0" };
    const first = await startServer({ settings });
    const alice = await TestPerson.register(first, "alice");
    const home = await alice.makeServer();
    for (let i = 0; i < 200; i++) await alice.say(home.general.id, `${i} ${"and so on ".repeat(100)}`);
    await first.stop();
    expect((await examine(settings)).findings.integrity).toMatch(/^ok: /);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, bytes.length - 40 * 4096));
    const says = /^wrong: The database is damaged: .*/;
    expect((await wrong({})).integrity).toMatch(says);
    const second = await startServer({ settings });
    const { database, integrity } = await wrong({});
    expect(database).toMatch(/^ok: The running server uses it/);
    expect(integrity).toMatch(says);
    await second.stop();
  });

  test("a data folder that is a file", async () => {
    const file = join(folder.path, "a-file");
    writeFileSync(file, "");
    expect((await wrong({ DATA_DIR: file }))["data folder"]).toMatch(/^wrong: .*DATA_DIR.* no folder/);
  });

  test("a mail server that is not there; one that is there takes mails", async () => {
    const box = await MailBox.open();
    const there = await examine({ DATA_DIR: folder.path, PORT: "0", ...box.settings });
    expect(there.findings.mail).toMatch(/^ok: 127\.0\.0\.1:\d+ takes mails from Hearth/);
    await box.close();
    expect(box.mails).toEqual([]);
    const { mail } = await wrong({ ...box.settings, SMTP_URL: "smtp://me:secret@127.0.0.1:9" });
    expect(mail).toMatch(/^wrong: 127\.0\.0\.1:9 \(SMTP_URL\) cannot be used: /);
    expect(mail).not.toContain("secret");
  });
});

describe("a mail server that lets Hearth in and then refuses its mails", () => {
  const answers: [what: string, options: object, says: RegExp][] = [
    [
      "it wants a sign-in",
      { authOptional: false },
      /^wrong: .* refuses mails from Hearth .*\(MAIL_FROM\): 530 /,
    ],
    [
      "it does not like the sender",
      { onMailFrom: refusing(554, "go away") },
      /^wrong: .* refuses .*: 554 go away\.$/,
    ],
    [
      "it does not relay",
      { onRcptTo: refusing(554, "5.7.1 no relay") },
      /^wrong: .* refuses mails .*: 554 5\.7\.1/,
    ],
    [
      "it has no such mailbox",
      { onRcptTo: refusing(550, "5.1.1 who?") },
      /^note: .* knows no mailbox of .*: 550 5\.1\.1/,
    ],
    ["it is busy", { onMailFrom: refusing(451, "busy") }, /^note: .* takes no mail .* for now: 451 busy\.$/],
  ];
  test.each(answers)("%s: told, and no mail is begun", async (_what, options, says) => {
    let mails = 0;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onData: (_stream, _session, done) => {
        mails++;
        done();
      },
      ...options,
    });
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    const { port } = server.server.address() as { port: number };
    const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Hearth <hearth@house.example>" };
    const { exitCode, findings } = await examine({ DATA_DIR: folder.path, PORT: "0", ...mail });
    await new Promise<void>((closed) => server.close(() => closed()));
    expect(findings.mail).toMatch(says);
    expect(exitCode).toBe(findings.mail?.startsWith("wrong") ? 1 : 0);
    expect(mails).toBe(0);
  });
});

function refusing(responseCode: number, message: string) {
  return (_address: unknown, _session: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error(message), { responseCode }));
}

test("kept pictures are counted; a folder that is none is told, and is nothing to fail for", async () => {
  const settings = { DATA_DIR: folder.path, PORT: "0" };
  const pictures = join(folder.path, "pictures");
  mkdirSync(join(pictures, "tmp"), { recursive: true });
  for (const [i, size] of [100_000, 150_000].entries())
    writeFileSync(join(pictures, `${String(i).repeat(64)}.png`), Buffer.alloc(size));
  for (const other of ["notes.txt", join("tmp", `${"2".repeat(64)}.png`)])
    writeFileSync(join(pictures, other), "half of it");
  const there = (await examine({ ...settings, PICTURES_MIB: "10" })).findings.pictures;
  expect(there).toBe("ok: 2 of other hosts are kept, 0.2 MiB of at most 10.");
  expect(readdirSync(join(pictures, "tmp"))).toHaveLength(1);
  expect((await examine({ ...settings, PICTURES_MIB: "0" })).findings.pictures).toMatch(
    /^off: .*PICTURES_MIB/,
  );
  rmSync(pictures, { recursive: true });
  writeFileSync(pictures, "no folder");
  const { exitCode, findings } = await examine(settings);
  expect([exitCode, findings.pictures]).toEqual([0, expect.stringMatching(/^note: .*is fetched anew: /)]);
});

test("GIFs: a key that the provider takes, and one that it does not", async () => {
  const provider = new GifProviderDouble();
  const settings = { DATA_DIR: folder.path, PORT: "0", GIF_API_URL: provider.url };
  for (const GIF_PROVIDER of ["klipy", "giphy"]) {
    const taken = await examine({ ...settings, GIF_PROVIDER, GIF_API_KEY: gifKey });
    expect(taken.findings.GIFs).toBe(`ok: ${GIF_PROVIDER} takes the key.`);
    const { exitCode, findings } = await examine({ ...settings, GIF_PROVIDER, GIF_API_KEY: "mistyped-key" });
    expect(exitCode).toBe(1);
    expect(findings.GIFs).toMatch(/^wrong: .* status 401; see GIF_API_KEY/);
    expect(JSON.stringify(findings)).not.toContain("mistyped-key");
  }
  provider.stop();
});

test("doctor voice asks for voice only; not set up is what it has to say then", async () => {
  const off = await examine({ DATA_DIR: folder.path }, "doctor voice");
  expect(off.exitCode).toBe(1);
  expect(off.findings).toEqual({ voice: expect.stringMatching(/^wrong: .*LIVEKIT_URL/) });
  const nobody = {
    LIVEKIT_URL: "ws://127.0.0.1:9",
    LIVEKIT_API_KEY: "key",
    LIVEKIT_API_SECRET: "s".repeat(32),
  };
  const away = await examine({ DATA_DIR: folder.path, ...nobody }, "doctor voice");
  expect(away.exitCode).toBe(1);
  expect(away.findings.voice).toMatch(/^wrong: .*LIVEKIT_URL/);
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("PostgreSQL is named with its version", async () => {
  const house = await makeHouse("PostgreSQL", {});
  const fresh = await examine(house.settings);
  expect(fresh.findings.database).toMatch(
    /^note: PostgreSQL \d+.*; the next start brings its tables up to date/,
  );
  await house.open();
  await house.shut();
  const { exitCode, findings } = await examine(house.settings);
  expect(exitCode).toBe(0);
  expect(findings.database).toMatch(/^ok: PostgreSQL \d+/);
  await house.end();
});
