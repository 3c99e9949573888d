// The first start of a public server: the line with the set-up code, and `hearth admin setup-code` for a new one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { type Child, endProcess, spawnServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { setupCodeIn } from "../house/open/engines.ts";
import { send } from "../house/people/people.ts";
import { verdict } from "../permissions/verdict.ts";
import { expectDone, expectRefused, hearth } from "./hearth.ts";

let folder: TemporaryFolder;
let settings: Record<string, string>;
let child: Child | undefined;
let url = "";
let printed = "";
beforeAll(() => {
  folder = temporaryFolder();
  settings = { DATA_DIR: folder.path, PUBLIC_URL: "https://chat.example", PORT: "0" };
});
afterAll(async () => {
  await stop();
  folder.remove();
});

async function start(): Promise<string> {
  printed = "";
  child = spawnServer({ ...settings, LOG_LEVEL: "info" });
  let logged = "";
  child.stderr.on("data", (chunk: Buffer) => {
    logged += chunk.toString();
  });
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await until(() => printed.includes("Set-up code: "), "no code was printed");
  const [ready = "", code = "", ...more] = printed.split("\n");
  expect(ready).toMatch(/^Hearth is ready at http:\/\/127\.0\.0\.1:\d+$/);
  expect(code).toMatch(/^Set-up code: \S+$/);
  expect(more).toEqual([""]);
  url = ready.replace("Hearth is ready at ", "");
  expect(logged).not.toContain(setupCodeIn(code) ?? "?");
  return setupCodeIn(code) ?? "";
}

async function stop(): Promise<void> {
  if (child) await endProcess(child, "SIGTERM");
  child = undefined;
}

async function another(): Promise<string> {
  const ended = await hearth("admin setup-code", settings);
  expectDone(ended, /^Set-up code: \S+\n$/);
  return setupCodeIn(ended.stdout) ?? "";
}

let made = 0;
async function tryWith(setup_code: string): Promise<string> {
  const username = `early_${++made}`;
  const email = `${username}@people.example`;
  const body = { username, email, display_name: "Early", password: "correct horse battery", setup_code };
  return verdict(await send({ url }, undefined, "POST", "/auth/register", body));
}

const refused = "403 registration_closed";

test("it stands on a line of its own after the ready line, and in no log; each start has another", async () => {
  const first = await start();
  await stop();
  const second = await start();
  expect(second).not.toBe(first);
  expect(await tryWith(first)).toBe(refused);
});

test("while the server runs, another one replaces it at once", async () => {
  const before = setupCodeIn(printed) ?? "";
  const code = await another();
  expect(code).not.toBe(before);
  expect(await tryWith(before)).toBe(refused);
  await stop();
});

test("one that is made while no server runs counts at the next start, beside that start's own, and no longer", async () => {
  const made = await another();
  const next = await start();
  expect(next).not.toBe(made);
  await stop();
  const later = await start();
  expect(await tryWith(made)).toBe(refused);
  expect(await tryWith(next)).toBe(refused);
  await stop();
  const again = await another();
  await start();
  expect(await tryWith(later)).toBe(refused);
  expect(await tryWith(again)).toBe("201");
});

test("once there is an owner no code is printed, and none can be made", async () => {
  expectRefused(await hearth("admin setup-code", settings), "has its owner");
  await stop();
  child = spawnServer(settings);
  printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  await until(() => printed.includes("ready at"), "the server does not start");
  // Its whole greeting is printed by then.
  await stop();
  expect(printed).not.toContain("Set-up code");
  expectRefused(await hearth("admin setup-code", settings), "has its owner");
});
