// The health of an instance as its admins see it: the doctor's findings, within a few seconds, without secrets.
import { afterEach, describe, expect, test } from "bun:test";
import { createServer } from "node:net";
import { GifProviderDouble } from "../../tests/doubles/gif-provider.ts";
import { LiveKitDouble } from "../../tests/doubles/livekit.ts";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { freePort } from "../../tests/house/machine/port.ts";
import { soon } from "../../tests/house/machine/waiting.ts";
import { makeHouse, onOneProcess, type TestHouse } from "../../tests/house/open/engines.ts";
import { MailBox } from "../../tests/house/servers/mail-box.ts";
import type { CheckResult } from "./contract.ts";

let house: TestHouse | undefined;
afterEach(async () => {
  await house?.end();
  house = undefined;
});

async function look(settings: Record<string, string>): Promise<Record<string, string>> {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent", ...settings });
  await house.open();
  return checksOf(house);
}

async function checksOf(house: TestHouse): Promise<Record<string, string>> {
  const olga = await house.person("olga");
  const { status, body } = await olga.get<{ checks: CheckResult[] }>("/admin/health");
  expect(status).toBe(200);
  return Object.fromEntries(body.checks.map(({ name, state, message }) => [name, `${state}: ${message}`]));
}

onOneProcess("the health of an instance", (house) => {
  test("with nothing set up: what is there is ok, the rest is off, and each says why", async () => {
    const found = await checksOf(house());
    const isPostgres = house().engine === "PostgreSQL";
    expect(found).toEqual({
      "data folder": expect.stringMatching(/^ok: .* can be written to/),
      database: expect.stringMatching(/^ok: The running server uses it .* is ready/),
      ...(isPostgres && {
        connections: expect.stringMatching(/^ok: PostgreSQL \d+.* grants the/),
        processes: "ok: One process runs, started with these settings.",
        clock: "ok: It agrees with that of PostgreSQL.",
      }),
      "open files": expect.stringMatching(/^ok: /),
      "public address": expect.stringMatching(/^ok: PUBLIC_URL is not set/),
      backups: "off: Not set up (BACKUP_DIR).",
      GIFs: "off: Not set up (GIF_API_KEY).",
      push: expect.stringMatching(/^ok: Push services want a contact/),
      voice: "off: Not set up (LIVEKIT_URL).",
      pictures: expect.stringMatching(/^ok: None of other hosts are kept yet/),
      mail: expect.stringMatching(/^off: Not set up \(SMTP_URL, MAIL_FROM\)/),
    });
  });
});

describe("how people reach it", () => {
  async function address(settings: Record<string, string>) {
    house = await makeHouse("SQLite", { LOG_LEVEL: "silent", ...settings });
    await house.open();
    const olga = await house.person("olga");
    const { body } = await olga.get<{ checks: CheckResult[] }>("/admin/health");
    return body.checks.find(({ name }) => name === "public address");
  }

  test("from this machine only: its admins read how others come in", async () => {
    expect(await address({})).toMatchObject({
      state: "ok",
      needs_you: true,
      message: expect.stringMatching(/good on this machine only\. HOST=0\.0\.0\.0 lets others at home in\.$/),
    });
  });

  test("by plain http, set or not: they read what browsers refuse there, and the way to https", async () => {
    const plain: Record<string, string>[] = [{ HOST: "0.0.0.0" }, { PUBLIC_URL: "http://chat.lan:8080" }];
    for (const settings of plain) {
      expect(await address(settings)).toMatchObject({
        state: "ok",
        needs_you: true,
        message: expect.stringMatching(
          /browsers refuse passkeys, push, microphones .* set PUBLIC_URL to its https/,
        ),
      });
      await house?.end();
    }
    house = undefined;
  });
});

test("everything set up and well", async () => {
  const folder = temporaryFolder();
  const [box, media, gifs] = [await MailBox.open(), new LiveKitDouble(), new GifProviderDouble()];
  const port = String(await freePort());
  const found = await look({
    ...box.settings,
    ...media.settings,
    ...gifs.settings,
    PORT: port,
    PUBLIC_URL: `http://localhost:${port}`,
    VAPID_SUBJECT: "mailto:olga@people.example",
    BACKUP_DIR: folder.path,
  });
  await Promise.all([box.close(), media.stop(), gifs.stop()]);
  folder.remove();
  expect(Object.values(found).filter((each) => !each.startsWith("ok: "))).toEqual([]);
  expect(found).toMatchObject({
    "public address": `ok: A Hearth answers at http://localhost:${port}.`,
    sockets: expect.stringContaining("can be opened"),
    uploads: expect.stringContaining("come through"),
    voice: expect.stringContaining("takes the key and the secret"),
    mail: expect.stringMatching(/takes mails from/),
  });
  // There must be no e-mail address at all, whoever has it.
  expect(JSON.stringify(found)).not.toContain("@");
  expect(box.mails).toEqual([]);
});

describe("what fails is told, without the secrets of the settings", () => {
  test("services that are not there", async () => {
    const secrets = { mail: "swordfish-and-chips", key: "a-key-of-the-provider", voice: "s".repeat(40) };
    const found = await look({
      SMTP_URL: `smtp://salmon:${secrets.mail}@127.0.0.1:9`,
      MAIL_FROM: "hearth@house.example",
      GIF_API_KEY: secrets.key,
      GIF_API_URL: "http://127.0.0.1:9",
      LIVEKIT_URL: "ws://127.0.0.1:9",
      LIVEKIT_API_KEY: "key",
      LIVEKIT_API_SECRET: secrets.voice,
    });
    expect(found).toMatchObject({
      mail: expect.stringMatching(/^failed: 127\.0\.0\.1:9 \(SMTP_URL\) cannot be used: /),
      GIFs: expect.stringMatching(/^failed: GIFs do not work: klipy does not answer/),
      voice: expect.stringMatching(/^failed: LiveKit does not answer/),
    });
    for (const secret of [...Object.values(secrets), "salmon", "house.example"])
      expect(JSON.stringify(found)).not.toContain(secret);
  });

  test("a mail server that says nothing holds nobody up for more than a few seconds, however many ask", async () => {
    let calls = 0;
    const mute = createServer((socket) => {
      calls++;
      socket.on("error", () => {});
    });
    await new Promise<void>((open) => mute.listen(0, "127.0.0.1", open));
    const { port } = mute.address() as { port: number };
    house = await makeHouse("SQLite", {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: "hearth@house.example",
      LOG_LEVEL: "silent",
    });
    await house.open();
    const olga = await house.person("olga");
    const answers = await soon(
      Promise.all(Array.from({ length: 10 }, () => olga.get<{ checks: CheckResult[] }>("/admin/health"))),
    );
    expect(calls).toBe(1);
    for (const { body } of answers) {
      const mail = body.checks.find(({ name }) => name === "mail");
      const message = "There was no answer in time.";
      expect(mail).toEqual({ name: "mail", state: "failed", message, needs_you: false });
      expect(body.checks.find(({ name }) => name === "database")?.state).toBe("ok");
    }
    mute.close();
  });

  test("a disk that takes no uploads", async () => {
    house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
    await house.open();
    const { blobs } = house.running.house;
    const { trouble } = blobs;
    blobs.trouble = async () => "the disk is away";
    const found = await checksOf(house);
    blobs.trouble = trouble;
    expect(found.database).toMatch(/^ok: /);
    expect(found["uploads taken"]).toBe("failed: No uploads are taken: the disk is away.");
  });
});
