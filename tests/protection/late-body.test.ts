// T6, T22: a request whose caller is signed out while its body is still arriving has no effect.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { connect } from "node:net";
import type { Server } from "../../features/servers/contract.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { request } from "./raw.ts";

let house: TestHouse;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
});
afterAll(() => house.end());

/** Resolves once the server has authenticated the next request: from then on it waits for the rest of the body. */
function callerKnown(): Promise<void> {
  const running = house.running.house;
  const { authenticators } = running;
  return new Promise((resolve) => {
    const noting = authenticators.map<(typeof authenticators)[number]>((authenticate) => (...given) => {
      const caller = authenticate(...given);
      if (caller !== undefined)
        void Promise.resolve(caller).then(() => {
          Object.assign(running, { authenticators });
          resolve();
        });
      return caller;
    });
    Object.assign(running, { authenticators: noting });
  });
}

/** Sends all but the last four characters of a request, runs `meanwhile`, sends the rest, and returns the status. */
async function interrupted(text: string, meanwhile: () => Promise<unknown>): Promise<string> {
  const { hostname, port } = new URL(house.url);
  const socket = connect(Number(port), hostname);
  const heard = new Promise<string>((resolve, reject) => {
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString("latin1")));
    socket.on("error", reject);
    socket.on("close", () => resolve(""));
  });
  const known = callerKnown();
  socket.write(text.slice(0, -4));
  await known;
  await meanwhile();
  // Time for a request that does not wait for its body to be answered already.
  await Bun.sleep(100);
  socket.write(text.slice(-4));
  const answer = await heard;
  socket.destroy();
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? answer;
}

function bodyWith(authorization: string, path: string, body: string, type = "application/json"): string {
  const lines = [
    `Authorization: ${authorization}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
  ];
  return request("POST", path, lines, body);
}

test("a session that ends meanwhile makes no server", async () => {
  const alice = await house.person("alice");
  const text = bodyWith(`Bearer ${alice.token}`, "/api/v1/servers", '{"name":"too late"}');
  expect(await interrupted(text, () => alice.get("/auth/me"))).toBe("201");
  expect(await interrupted(text, () => alice.post("/auth/logout"))).toBe("401");
  const again = await alice.post("/auth/login/password", { email: alice.email, password: alice.password });
  alice.token = String(again.headers.get("x-session-token"));
  expect((await alice.get<Server[]>("/servers")).body).toHaveLength(1);
});

test("a bot whose token is replaced meanwhile says nothing", async () => {
  const alice = await house.person("alice");
  const home = await alice.makeServer();
  const bot = await TestBot.make(alice);
  await bot.enter(home.id);
  const path = `/api/v1/channels/${home.general.id}/messages`;
  const text = bodyWith(`Bot ${bot.token}`, path, '{"content":"too late"}');
  expect(await interrupted(text, () => alice.post(`/bots/${bot.id}/regenerate-token`))).toBe("401");
  expect((await alice.get(`/channels/${home.general.id}/messages`)).body as unknown).toEqual([]);
});

test("an upload of a session that ends meanwhile is not kept", async () => {
  const alice = await house.person("alice");
  const part = 'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello';
  const form = `--edge\r\n${part}\r\n--edge--\r\n`;
  const text = bodyWith(
    `Bearer ${alice.token}`,
    "/api/v1/upload",
    form,
    "multipart/form-data; boundary=edge",
  );
  expect(await interrupted(text, () => alice.get("/auth/me"))).toBe("201");
  expect(await interrupted(text, () => alice.post("/auth/logout"))).toBe("401");
  const { read } = house.running.house.database;
  const rows = await read.selectFrom("uploads").select("size").where("owner_id", "=", alice.id).execute();
  expect(rows).toHaveLength(1);
});
