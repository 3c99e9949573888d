// The client's side of the gateway, against the real server: resuming, and recovering messages when it cannot resume.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { type ServerProcess, startServer } from "../../tests/house/machine/process.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { type How, Listener } from "./listener.ts";
import { call, type Person, say } from "./person.ts";
import { openRoom, type Room } from "./room.ts";
import { Tally } from "./tally.ts";
import type { Message } from "./wire.ts";

const folder = temporaryFolder();
let server: ServerProcess;
let room: Room;

beforeAll(async () => {
  server = await startServer({ settings: { DATA_DIR: folder.path } });
  room = await openRoom(server.url, { owner: "olga", channels: ["porch"], members: ["ada", "ben"] });
});

afterAll(async () => {
  await server?.stop();
  folder.remove();
});

test("cut and back, it hears what it missed before what comes next", async () => {
  const { listener, heard, tally } = await listen(room.members.get("ada") as Person);
  await post("one");
  await until(() => heard.length === 1, "it is not heard");
  listener.cut();
  await post("two");
  await post("three");
  listener.comeBack();
  await listener.untilListening(180_000);
  await post("four");
  await until(() => heard.length === 4, "not all is heard");
  listener.stop();
  expect(heard).toEqual(["live one", "replayed two", "replayed three", "live four"]);
  expect(listener.counts).toEqual({ cuts: 1, losses: 0, readies: 1, resumes: 1, replayed: 2, disorders: 0 });
  expect(tally.judge(new Set(), 0)).toMatchObject({ duplicate: 0, outOfOrder: 0 });
});

test("where its roles changed while it was away the server begins anew, and it fetches what it missed", async () => {
  const person = room.members.get("ben") as Person;
  const { listener, heard } = await listen(person);
  await post("five");
  listener.cut();
  await giveRole(person);
  await post("while away 1");
  listener.comeBack();
  for (let number = 2; number <= 120; number++) await post(`while away ${number}`);
  await listener.untilListening(180_000);
  await post("back");
  await until(() => heard.includes("live back"), "it is not heard again");
  listener.stop();
  expect(listener.counts).toMatchObject({ cuts: 1, readies: 2, resumes: 0, disorders: 0 });
  expect(heard).toContain("recovered while away 1");
  // Some messages may come late enough to arrive over the new socket, before or after the others are fetched.
  const contents = heard.map((what) => what.replace(/^\w+ /, ""));
  for (let number = 1; number <= 120; number++) expect(contents).toContain(`while away ${number}`);
  expect(new Set(contents).size).toBe(contents.length);
});

async function listen(person: Person): Promise<{ listener: Listener; tally: Tally; heard: string[] }> {
  const heard: string[] = [];
  const tally = new Tally();
  const listener = new Listener(person, (message: Message, how: How) => {
    if (tally.add(message, how)) heard.push(`${how} ${message.content}`);
  });
  await listener.start();
  return { listener, tally, heard };
}

function post(content: string): Promise<Message> {
  return say(room.owner, room.channels.get("porch") as string, content, crypto.randomUUID());
}

async function giveRole(person: Person): Promise<void> {
  const role = await call<{ id: string }>(room.owner, "POST", `/servers/${room.serverId}/roles`, {
    name: "Regular",
    color: "#aabbcc",
    permissions: 0,
    position: 1,
  });
  const path = `/servers/${room.serverId}/members/${person.id}/roles`;
  await call(room.owner, "PUT", path, { role_ids: [role.id] });
}
