// W6: the log message for the operator when a possibly cloned key is used.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { type ServerProcess, startServer } from "../../tests/house/machine/process.ts";
import { TestBrowser } from "../../tests/house/people/browser.ts";
import { TestPerson } from "../../tests/house/people/people.ts";

const folder = temporaryFolder();
let server: ServerProcess;
beforeAll(async () => {
  server = await startServer({ settings: { DATA_DIR: folder.path, LOG_LEVEL: "warn" } });
});
afterAll(async () => {
  await server?.kill();
  folder.remove();
});

test("W6: one warning with the account and the key; none for an old count that the key did not sign", async () => {
  const alice = await TestPerson.register(server, "alice");
  const browser = new TestBrowser(server);
  const { body } = await browser.register(alice);
  const impostor = new TestBrowser(server);
  await impostor.register(alice);
  const [hers, another] = [browser.key.kept[0], impostor.key.kept[0]];
  if (!hers || !another) throw new Error("both have a key");
  expect((await browser.login({ counter: 7 })).status).toBe(200);
  expect((await browser.login({ counter: 7 })).status).toBe(401);
  expect((await browser.login({ counter: 3, signedBy: another.secret })).status).toBe(401);
  await server.stop();

  const lines = server
    .stderr()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const told = { user_id: alice.id, passkey: body.id, counter: 7, said: 7 };
  expect(lines).toEqual([expect.objectContaining({ ...told, level: expect.anything() })]);
});
