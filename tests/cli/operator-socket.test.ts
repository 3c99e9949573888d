// The socket in the data folder: callers that break its protocol, and files left over from a crash.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { features } from "../../server/features.ts";
import { openOperatorSocket } from "../../server/operator/listen.ts";
import { askRunning, whoIsThere } from "../../server/operator/socket.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { Logged } from "../house/scenes/logged.ts";

let house: TestHouse;
let path: string;
const folder = () => house.settings.DATA_DIR ?? "";
beforeAll(async () => {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  await house.open();
  path = join(folder(), "hearth.sock");
});
afterAll(() => house.end());

/** Sends a text and returns the answer until the other side closes. */
function speak(said: string): Promise<string> {
  return new Promise((done) => {
    let heard = "";
    const socket = connect(path, () => socket.write(said));
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.on("error", () => {});
    socket.on("close", () => done(heard));
  });
}

test("it says who is there", async () => {
  const answer = await askRunning(folder(), whoIsThere);
  expect(answer).toMatchObject({
    ok: true,
    lines: [expect.any(String), house.url, "sqlite", String(process.pid), expect.any(String), "null"],
  });
});

test("it is its owner's alone", () => {
  const facts = statSync(path);
  expect([facts.isSocket(), facts.mode & 0o777]).toEqual([true, 0o600]);
});

test("an answer that does not come, or is cut off, is told", async () => {
  const other = temporaryFolder();
  for (const said of ["", '{"ok":true']) {
    const server = createServer((socket) => void socket.once("data", () => socket.end(said)));
    await new Promise<void>((open) => server.listen(join(other.path, "hearth.sock"), open));
    await expect(askRunning(other.path, ["users"])).rejects.toThrow("went away before it answered");
    await new Promise((closed) => server.close(closed));
  }
  other.remove();
});

test("a command that fails is told without its reason, which the log has", async () => {
  const broken = {
    name: "broken",
    operations: [],
    commands: [
      {
        ...{ name: "break", takes: [], meaning: "fail" },
        run: () => Promise.reject(new Error("swordfish")),
      },
    ],
  };
  const other = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  other.features = [...features, broken];
  await other.open();
  const error = spyOn(other.running.house.log, "error");
  expect(await askRunning(other.settings.DATA_DIR ?? "", ["break"])).toEqual({
    ok: false,
    lines: ["Something went wrong; the log has the reason."],
  });
  expect(error.mock.calls.map(([line]) => String((line as { err: unknown }).err))).toEqual([
    "Error: swordfish",
  ]);
  await other.end();
});

test("nonsense is told that it is none; too much of it is cut off", async () => {
  for (const nonsense of ["{}", "7", "[1]", "not json", "null", '[["users"]]'])
    expect(JSON.parse(await speak(`${nonsense}\n`))).toEqual({ ok: false, lines: ["This is no command."] });
  for (const unknown of ["[]", '["explode"]', '["constructor"]', '["disable"]'])
    expect(JSON.parse(await speak(`${unknown}\n`))).toMatchObject({ ok: false });
  expect(await speak("x".repeat(100_000))).toBe("");
  expect((await askRunning(folder(), ["users"]))?.ok).toBe(true);
});

test("the log says which command was run, and not on whom", async () => {
  const ada = await house.person("ada");
  using logged = new Logged(house, "info");
  expect((await house.command(["disable", ada.email])).ok).toBe(true);
  const said = JSON.stringify(logged.calls);
  expect(said).toContain('"command":"disable"');
  expect(said).not.toContain(ada.email);
});

test("callers who say nothing do not keep others out for good", async () => {
  const silent = Array.from({ length: 20 }, () => connect(path));
  let sentAway = 0;
  for (const each of silent) each.on("error", () => {}).on("close", () => sentAway++);
  await until(() => sentAway > 0, "there is room for all of them");
  for (const each of silent) each.destroy();
  await until(async () => {
    const answer = await askRunning(folder(), ["users"]).catch(() => undefined);
    return answer?.ok === true;
  }, "they keep others out");
});

test("it goes with the house; what a killed one left behind is in nobody's way", async () => {
  await house.shut();
  expect(existsSync(path)).toBe(false);
  expect(await askRunning(folder(), whoIsThere)).toBeUndefined();
  writeFileSync(path, "left over");
  expect(await askRunning(folder(), whoIsThere)).toBeUndefined();
  await house.open();
  expect((await askRunning(folder(), whoIsThere))?.ok).toBe(true);
});

test("a folder that takes no socket serves all the same", async () => {
  const full = await makeHouse("SQLite", { LOG_LEVEL: "silent" });
  mkdirSync(join(full.settings.DATA_DIR ?? "", "hearth.sock"));
  await full.open();
  expect((await fetch(`${full.url}/readyz`)).status).toBe(200);
  await full.end();
});

test("a second house in the folder, on another database, is refused", async () => {
  const running = house.running.house;
  await expect(openOperatorSocket(running)).rejects.toThrow("Another Hearth is running with the data folder");
  expect((await askRunning(folder(), whoIsThere))?.ok).toBe(true);
});

test("a folder whose name is too long for a socket serves all the same", async () => {
  const deep = temporaryFolder();
  const long = await makeHouse("SQLite", { DATA_DIR: join(deep.path, "d".repeat(120)), LOG_LEVEL: "silent" });
  await long.open();
  expect((await fetch(`${long.url}/readyz`)).status).toBe(200);
  expect(await askRunning(long.settings.DATA_DIR ?? "", whoIsThere)).toBeUndefined();
  await long.end();
  deep.remove();
});
