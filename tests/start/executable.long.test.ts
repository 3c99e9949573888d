// The single-file executable, built as in the Dockerfile, in an empty folder and without access to the checkout.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { picturesBeside } from "../../server/own-files.ts";
import { run } from "../cli/hearth.ts";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type Ended, type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { pictureOf } from "../house/material/images.ts";
import { at, canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import { MailBox } from "../house/servers/mail-box.ts";
import { canStore, startS3 } from "../house/servers/s3.ts";

const project = join(import.meta.dir, "../..");
const apart = ["unshare", "--mount", "--map-root-user", "sh", "-c"];
/** Mounts an empty folder over the checkout, for one program only, and runs that from another folder. */
const hiding = [...apart, 'mount -t tmpfs none "$0" && cd "$1" && shift && exec "$@"'];
/** Mounts the packages of the checkout into the current folder, for one command only. */
const lending = [...apart, 'mount --bind "$0/node_modules" node_modules && eval "$1"'];
const canHide = Bun.which("unshare") !== null && Bun.spawnSync([...hiding, project, "/", "true"]).success;

let folder: TemporaryFolder;
let program: string;
beforeAll(() => {
  folder = temporaryFolder();
  if (!canHide) return;
  const clean = join(folder.path, "clean");
  for (const path of sentToBuild()) cpSync(join(project, path), join(clean, path), { recursive: true });
  mkdirSync(join(clean, "node_modules"));
  const [install, ...commands] = buildCommands();
  expect([install, commands]).toEqual([expect.stringMatching(/^npm ci\b/), ["npm run build"]]);
  for (const command of commands) {
    const { stderr, exitCode } = Bun.spawnSync([...lending, project, command], { cwd: clean });
    expect({ stderr: exitCode === 0 ? "" : stderr.toString(), exitCode }).toEqual({
      stderr: "",
      exitCode: 0,
    });
  }
  const made = join(folder.path, "made");
  renameSync(join(clean, "dist"), made);
  rmSync(clean, { recursive: true });
  program = join(made, "hearth");
}, 300_000);
afterAll(() => folder.remove());

/** The paths that `.dockerignore` lets through. */
function sentToBuild(): string[] {
  const lines = readFileSync(join(project, ".dockerignore"), "utf8").matchAll(/^!(.+)$/gm);
  return Array.from(lines, ([, path]) => `${path}`);
}

/** The commands of the Dockerfile's first stage. Packages are taken from the checkout: fetching them takes minutes. */
function buildCommands(): string[] {
  const [, stage = ""] = readFileSync(join(project, "Dockerfile"), "utf8").split(/^FROM /m);
  return Array.from(stage.matchAll(/^RUN (.+)$/gm), ([, command]) => `${command}`);
}

function emptyFolder(name: string): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  return path;
}

function start(
  cwd: string,
  settings: Record<string, string> = {},
  command = program,
): Promise<ServerProcess> {
  return startServer({ settings, under: [...hiding, project, cwd], command: [command, "serve"] });
}

function hearth(cwd: string, words: string, settings: Record<string, string> = {}): Promise<Ended> {
  return run([...hiding, project, cwd, program, ...words.split(" ")], settings);
}

async function assetsOf(server: ServerProcess): Promise<string[]> {
  const index = await fetch(`${server.url}/`, { headers: { Accept: "text/html" } });
  expect([index.status, index.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  return Array.from(
    (await index.text()).matchAll(/"(\/(?:assets\/)?[\w.-]+\.\w+)"/g),
    ([, path]) => `${path}`,
  );
}

async function typeAt(url: string): Promise<string> {
  const { status, headers } = await fetch(url, { headers: { "Accept-Encoding": "br" } });
  return `${status} ${headers.get("content-type")}`;
}

describe.skipIf(!canHide)(
  `the executable${canHide ? "" : " (skipped: no folder can be hidden here)"}`,
  () => {
    test("lies in one file, and beside it only what pictures need", () => {
      expect(readdirSync(join(program, "..")).sort()).toEqual(["hearth", picturesBeside]);
    });

    test("serves talk, the page and pictures from an empty folder, and has all of it after a stop", async () => {
      const cwd = emptyFolder("first");
      const first = await start(cwd);
      const alice = await TestPerson.register(first, "alice");
      const home = await alice.makeServer();
      const ear = await alice.listen();
      const said = await alice.say(home.general.id, "In one file");
      expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ id: said.id, content: "In one file" });

      const paths = await assetsOf(first);
      expect(paths.filter((path) => path.startsWith("/assets/")).length).toBeGreaterThan(2);
      for (const path of paths) expect(await typeAt(first.url + path)).toMatch(/^200 [a-z]+\/[a-z+]+/);
      for (const path of ["/sw.js", "/docs/", "/docs/gateway", "/docs/openapi.json", "/docs/asyncapi.json"])
        expect(await typeAt(first.url + path)).toStartWith("200 ");
      const picture = await upload(alice, "photo.png", await pictureOf("png", { width: 1600, height: 1200 }));
      expect(picture).toMatchObject({ width: 1600, height: 1200, preview_url: expect.any(String) });

      await first.stop();
      // No write-ahead log is left: the checkpoint thread has moved all of it into the database file.
      expect([first.endedBy(), first.stderr(), existsSync(join(cwd, "data/hearth.db-wal"))]).toEqual([
        "0",
        "",
        false,
      ]);
      expect(readdirSync(cwd)).toEqual(["data"]);

      const backups = emptyFolder("backups");
      const second = await start(cwd, { BACKUP_DIR: backups });
      const again = await at(second.url, alice).get<{ content: string }[]>(
        `/channels/${home.general.id}/messages`,
      );
      expect(again.body.map(({ content }) => content)).toEqual(["In one file"]);
      const kept = () => readdirSync(backups).filter((name) => name.endsWith(".tar"));
      await until(() => kept().length === 1, "no backup is made by itself");
      const checked = await hearth(cwd, `restore --check ${join(backups, `${kept()[0]}`)}`);
      expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("It is whole.") });
      const { exitCode, stdout, stderr } = await hearth(cwd, "doctor");
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/^ok +server +Hearth .* runs at/m);
      expect(stdout).toMatch(/^ok +integrity /m);
      const ready = await hearth(cwd, "ready");
      expect([ready.exitCode, ready.stdout]).toEqual([0, "ready\n"]);
      expect(stdout).toMatch(/^ok +previews +Pictures are decoded\.$/m);
      await second.stop();
    });

    test("has all that is loaded by its first use: mails, passkeys, time zones, the voice of LiveKit", async () => {
      const box = await MailBox.open();
      const voice = {
        LIVEKIT_URL: "ws://127.0.0.1:9",
        LIVEKIT_API_KEY: "key",
        LIVEKIT_API_SECRET: "s".repeat(40),
      };
      const server = await start(emptyFolder("later"), { ...box.settings, ...voice });
      const alice = await TestPerson.register(server, "alice");
      const home = await alice.makeServer();
      const windows = [{ day: 0, start: "09:00", end: "17:00" }];
      expect((await alice.put("/auth/me/availability", { time_zone: "europe/berlin", windows })).status).toBe(
        200,
      );
      expect((await new TestBrowser(server).register(alice)).status).toBe(201);
      const asked = { server_id: home.id, name: "parlour", type: "voice" };
      const room = await alice.post<{ id: string }>("/channels", asked);
      expect((await alice.post("/voice/token", { room_name: room.body.id })).body).toMatchObject({
        token: expect.any(String),
      });
      expect(
        (await send(server, undefined, "POST", "/auth/password/forgot", { email: alice.email })).status,
      ).toBe(204);
      expect((await box.linkTo(alice.email)).text).toContain("/reset-password#token=");
      expect((await upload(alice, "plain.txt", "words")).content_type).toStartWith("text/plain");
      await server.stop();
      expect(server.stderr()).toBe("");
      await box.close();
    });

    test("makes a backup, proves it and makes a Hearth of it", async () => {
      const cwd = emptyFolder("kept");
      const server = await start(cwd);
      const alice = await TestPerson.register(server, "alice");
      const home = await alice.makeServer();
      await alice.say(home.general.id, "Kept");
      const made = await hearth(cwd, "backup here.tar");
      await server.stop();
      const checked = await hearth(cwd, "restore --check here.tar");
      const restored = await hearth(cwd, "restore here.tar --data-dir ./again");
      expect([made, checked, restored].map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(
        Array(3).fill([0, ""]),
      );
      const again = await start(cwd, { DATA_DIR: "./again" });
      const heard = await at(again.url, alice).get<{ content: string }[]>(
        `/channels/${home.general.id}/messages`,
      );
      expect(heard.body.map(({ content }) => content)).toEqual(["Kept"]);
      await again.stop();
    });

    test("without what pictures need takes them all the same; the log says so once, and so does the doctor", async () => {
      const alone = join(emptyFolder("alone"), "hearth");
      linkSync(program, alone);
      const cwd = emptyFolder("plain");
      const server = await start(cwd, {}, alone);
      const alice = await TestPerson.register(server, "alice");
      for (const name of ["a.png", "b.png"])
        expect(await upload(alice, name, await pictureOf("png"))).toMatchObject({
          width: null,
          preview_url: null,
          animated: false,
        });
      const told = () => server.stderr().match(/no picture can be looked at/g)?.length;
      await until(() => told() !== undefined, "the log does not say so");
      expect(told()).toBe(1);
      const { exitCode, stdout } = await run([...hiding, project, cwd, alone, "doctor"]);
      expect(stdout).toMatch(
        /^note +previews +Pictures are kept without .* lay the folder .*hearth-pictures\.$/m,
      );
      expect(exitCode).toBe(0);
      // The folder is used as soon as it is there.
      cpSync(join(program, "..", picturesBeside), join(alone, "..", picturesBeside), { recursive: true });
      expect((await upload(alice, "c.png", await pictureOf("png"))).width).toBe(90);
      await server.stop();
    });

    test.skipIf(!canCluster)(
      "serves from PostgreSQL, beside others by Redis, with uploads in a store",
      async () => {
        await using cluster = await makeCluster();
        await using store = canStore ? await startS3() : undefined;
        const settings = { ...cluster.settings("file"), ...store?.settings("uploads") };
        const cwd = emptyFolder("wide");
        const first = await start(cwd, settings);
        const alice = await TestPerson.register(first, "alice");
        const home = await alice.makeServer();
        const second = await start(cwd, { ...settings, ...cluster.settings("beside") });
        const ear = await at(second.url, alice).listen();
        await alice.say(home.general.id, "From the other one");
        expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "From the other one" });
        const { url } = await upload(alice, "plain.txt", "words");
        const got =
          store && (await fetch(second.url + url, { headers: { Authorization: `Bearer ${alice.token}` } }));
        expect(await got?.text()).toBe(store && "words");
        const doctor = await hearth(cwd, "doctor", settings);
        expect([doctor.exitCode, doctor.stderr]).toEqual([0, ""]);
        for (const each of [first, second]) await each.stop();
        expect([first.endedBy(), second.endedBy(), first.stderr()]).toEqual(["0", "0", ""]);
      },
    );
  },
);
