// Real servers to crash, each a child process with a temporary data folder, cleaned up after the test.
import { afterEach, expect } from "bun:test";
import { join } from "node:path";
import type { Message } from "../../features/messages/contract.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { freePort } from "../house/machine/port.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { png, tryUpload } from "../house/scenes/files.ts";

/** A running server, a person who posted "before" in a chat server of theirs, and the data folder. */
export type Town = Awaited<ReturnType<ReturnType<typeof towns>["openTown"]>>;

/** For the tests of one file. */
export function towns() {
  const leftToDo: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const act of leftToDo.splice(0).reverse()) await act();
  });
  /** Runs after the test, however it ends, in reverse order. */
  const afterwards = (act: () => Promise<void> | void) => void leftToDo.push(act);

  function newFolder(): string {
    const folder = temporaryFolder();
    afterwards(folder.remove);
    return folder.path;
  }

  async function start(settings: Record<string, string>): Promise<ServerProcess> {
    const server = await startServer({ settings });
    afterwards(server.kill);
    return server;
  }

  async function openTown() {
    const outside = newFolder();
    const settings = { DATA_DIR: join(outside, "data"), PORT: String(await freePort()) };
    const server = await start(settings);
    const alice = await TestPerson.register(server, "alice");
    const general = (await alice.makeServer()).general.id;
    await alice.say(general, "before");
    return { outside, data: settings.DATA_DIR, settings, server, alice, general };
  }

  return { afterwards, newFolder, start, openTown };
}

export async function readiness({ url }: ServerProcess): Promise<[status: number, sentence: string]> {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.text()];
}

/** Matches the body of /readyz while reads work and something else does not. */
function missing(what: string, why: string): RegExp {
  return new RegExp(`^ready\\n(.+\\n)*${what} are taken: .*${why}`);
}

/** Expects every write to be refused with the reason, while reads go on. */
export async function expectNoWrites({ server, alice, general }: Town, says: string): Promise<void> {
  const during = { content: "during", nonce: "during" };
  const refused = await alice.post<{ code: string }>(`/channels/${general}/messages`, during);
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await alice.post("/servers", { name: "another" })).status).toBe(503);
  expect(await readiness(server)).toEqual([200, expect.stringMatching(missing("No writes", says))]);
  expect((await contentsOf(alice, general))[0]).toBe("before");
  expect((await alice.get("/auth/me")).status).toBe(200);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await until(() => server.stderr().includes("no writes are taken"), "the log does not say it");
}

export async function expectNoUploads({ server, alice }: Town, says: string): Promise<void> {
  const refused = await tryUpload<{ code: string }>(alice, "moon.png", png);
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
  expect(await readiness(server)).toEqual([200, expect.stringMatching(missing("No uploads", says))]);
}

/** Waits until it recovers by itself. */
export function untilReady(server: ServerProcess): Promise<void> {
  return until(
    async () => (await readiness(server))[1] === "ready\n",
    "what is missing does not come back by itself",
  );
}

/** The contents of a channel's messages, oldest first. */
export async function contentsOf(who: TestPerson, channelId: string): Promise<string[]> {
  const { status, body } = await who.get<Message[]>(`/channels/${channelId}/messages?limit=100`);
  expect(status).toBe(200);
  return body.map((message) => message.content).reverse();
}
