// SIGTERM: the server stops accepting, tells its sockets to reconnect, finishes running requests, and loses nothing.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { type TemporaryFolder, temporaryFolder } from "../house/machine/folder.ts";
import { heldDatabase } from "../house/machine/held.ts";
import { endProcess, spawnServer, startServer, untilEnd } from "../house/machine/process.ts";
import { soon, until } from "../house/machine/waiting.ts";
import { send, TestPerson } from "../house/people/people.ts";
import { fetchFile, upload } from "../house/scenes/files.ts";
import { request } from "../protection/raw.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("PORT=0 picks a free port, and the ready line says which; it is the only line", async () => {
  const child = spawnServer({ DATA_DIR: folder.path });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const [, port] = /^Hearth is ready at http:\/\/127\.0\.0\.1:(\d+)\n$/.exec(line.toString()) ?? [];
  expect(Number(port)).toBeGreaterThan(0);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await endProcess(child, "SIGTERM");
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`${signal}: sockets are closed with 1012, and the process ends with 0`, async () => {
    const child = spawnServer({ DATA_DIR: folder.path });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const url = line.toString().trim().split(" ").at(-1) ?? "";
    const alice = await TestPerson.register({ url }, "alice");
    const ears = [await alice.listen(), await alice.listen()];
    await endProcess(child, signal);
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
    for (const ear of ears) expect((await ear.closed).code).toBe(1012);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });
}

/** Starts the thread of last-resort.ts, set to kill the process after 300 ms. */
const thread = `
  const { killAfter } = await import("./server/last-resort.ts");
  const thread = killAfter(300);
  thread.ref();
  await new Promise((runs) => thread.once("online", runs));`;

test("a process whose event loop stands still is killed by a thread of its own", async () => {
  const program = `
    ${thread}
    while (true);`;
  const child = spawnServer({}, [], [process.execPath, "-e", program]);
  const { stderr } = await untilEnd(child, 180_000);
  expect(child.signalCode).toBe("SIGKILL");
  expect(JSON.parse(stderr)).toMatchObject({ level: "error" });
});

test("so is one that waits for whoever should read its log", async () => {
  const program = `
    ${thread}
    for (;;) require("node:fs").writeSync(2, "x".repeat(65536));`;
  const child = spawnServer({}, [], [process.execPath, "-e", program]);
  child.stderr.pause();
  await once(child, "exit");
  expect(child.signalCode).toBe("SIGKILL");
});

test("a database file that another program has locked does not keep the server from leaving", async () => {
  const server = await startServer({ settings: { DATA_DIR: folder.path } });
  const alice = await TestPerson.register(server, "alice");
  using other = heldDatabase(folder.path);
  const changed = alice.patch("/auth/me", { bio: "waits for the lock" }).catch(() => undefined);
  // Once this is answered, the earlier request has arrived, too.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  await soon(server.stop());
  other.run("rollback");
  await changed;
});

test("the log says that links need an address to lead to", async () => {
  const settings = {
    DATA_DIR: folder.path,
    HOST: "0.0.0.0",
    LOG_LEVEL: "warn",
  };
  const server = await startServer({ settings });
  await until(() => server.stderr().includes("PUBLIC_URL is not set"), "the log says nothing");
  await server.stop();
  const lines = server.stderr().trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", url: server.url.replace("0.0.0.0", "localhost") },
  ]);
});

test("whoever ends npm start ends the server, which leaves in order", async () => {
  const { PATH = "", HOME = "" } = process.env;
  const settings = { DATA_DIR: folder.path, PATH, HOME };
  const server = await startServer({ settings, command: ["npm", "start"] });
  const alice = await TestPerson.register(server, "alice");
  const ear = await alice.listen();
  await server.stop();
  expect((await ear.closed).code).toBe(1012);
});

test("what was under way is answered, or was never done: every message that was acknowledged is there", async () => {
  const server = await startServer({ settings: { DATA_DIR: folder.path } });
  const alice = await TestPerson.register(server, "alice");
  const { general } = await alice.makeServer();
  const posts = Array.from({ length: 50 }, async (_, i) => {
    const answer = await alice
      .post(`/channels/${general.id}/messages`, { content: `number ${i}` })
      .catch(() => undefined);
    return answer?.status === 201 ? `number ${i}` : undefined;
  });
  await posts[0];
  await server.stop();
  const acknowledged = (await Promise.all(posts)).filter((content) => content !== undefined);
  expect(acknowledged.length).toBeGreaterThan(0);

  const again = await startServer({ settings: { DATA_DIR: folder.path } });
  const page = await send<{ content: string }[]>(
    again,
    alice.token,
    "GET",
    `/channels/${general.id}/messages?limit=100`,
  );
  expect(page.body.map((message) => message.content)).toEqual(expect.arrayContaining(acknowledged));
  await again.stop();
});

test("an upload whose body is still being sent is taken to its end, answered and kept; then the process ends with 0", async () => {
  const server = await startServer({ settings: { DATA_DIR: folder.path } });
  const alice = await TestPerson.register(server, "alice");
  const ear = await alice.listen();
  const [opening, closing] = [
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nthe beginning',
    " and the end\r\n--x--\r\n",
  ];
  const lines = [
    `Authorization: Bearer ${alice.token}`,
    "Content-Type: multipart/form-data; boundary=x",
    `Content-Length: ${opening.length + closing.length}`,
  ];
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk: Buffer) => {
    answer += chunk.toString();
  });
  socket.write(request("POST", "/api/v1/upload", lines, opening));
  await until(() => readdirSync(join(folder.path, "uploads", "tmp")).length === 1, "nothing of it arrived");
  const stopped = server.stop();
  await ear.closed;
  expect(answer).toBe("");
  socket.write(closing);
  await until(() => answer.includes("\r\n\r\n{"), "it is not answered");
  expect(answer).toStartWith("HTTP/1.1 201");
  const [, url = ""] = /"url":"([^"]+)"/.exec(answer) ?? [];
  await stopped;
  socket.destroy();
  expect(server.endedBy()).toBe("0");

  const again = await startServer({ settings: { DATA_DIR: folder.path } });
  const there = Object.assign(Object.create(TestPerson.prototype) as TestPerson, alice, { host: again });
  expect(await (await fetchFile(there, url)).text()).toBe("the beginning and the end");
  await again.stop();
});

test("a file that is being read comes whole; then the process ends with 0", async () => {
  const server = await startServer({ settings: { DATA_DIR: folder.path } });
  const alice = await TestPerson.register(server, "alice");
  const ear = await alice.listen();
  const many = "slow ".repeat(4_000_000);
  const { url } = await upload(alice, "long.txt", many);
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const lines = [`Authorization: Bearer ${alice.token}`, "Connection: close"];
  socket.write(request("GET", url, lines));
  const [first] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  const stopped = server.stop();
  await ear.closed;
  expect(server.endedBy()).toBeUndefined();
  const chunks = [first];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.resume();
  await once(socket, "close");
  const whole = Buffer.concat(chunks);
  expect(whole.subarray(0, 12).toString()).toBe("HTTP/1.1 200");
  expect(whole.length - whole.indexOf("\r\n\r\n") - 4).toBe(many.length);
  await stopped;
  expect(server.endedBy()).toBe("0");
});
