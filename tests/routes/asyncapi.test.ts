// The AsyncAPI 3.0 description of the gateway: valid, and complete: every frame, every event, every close code.
import { afterAll, beforeAll, expect, test } from "bun:test";
import schema from "@asyncapi/specs/schemas/3.0.0-without-$id.json";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { closeCode } from "../../protocol/closing.ts";
import { features } from "../../server/features.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { everythingIn, found, type Schema } from "./documents.ts";

interface Message extends Schema {
  name: string;
  summary: string;
  payload: Schema;
  examples: { payload: { type: string } }[];
}

interface Operation extends Schema {
  action: "send" | "receive";
  summary: string;
  messages: { $ref: string }[];
  reply?: { messages: { $ref: string }[] };
}

interface Document extends Schema {
  channels: { gateway: { messages: Record<string, Schema>; description: string; "x-close-codes": Schema[] } };
  operations: Record<string, Operation>;
  components: { messages: Record<string, Message>; schemas: Record<string, Schema> };
}

const own = ["READY", "RESUMED", "PONG", "ERROR", "SERVER_CREATE"];
const events = features.flatMap((feature) => feature.events ?? []);
const frames = features.flatMap((feature) => feature.frames ?? []);

let house: TestHouse;
let document: Document;
beforeAll(async () => {
  house = await makeHouse("SQLite", {});
  await house.open();
  document = (await (await fetch(`${house.url}/docs/asyncapi.json`)).json()) as Document;
});
afterAll(() => house.end());

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
const official = ajv.compile(schema);

test("the makers' schema of AsyncAPI 3.0 finds nothing wrong with it, and would", () => {
  expect(document.asyncapi).toBe("3.0.0");
  official(document);
  expect(official.errors ?? []).toEqual([]);
  const { info: _, ...headless } = document;
  expect(official(headless)).toBe(false);
  expect(official({ ...document, channels: { gateway: { address: 7 } } })).toBe(false);
});

function payloadOf(message: string): Schema {
  return document.components.messages[message]?.payload ?? {};
}

function fieldsOf(message: string): Record<string, Schema> {
  return (payloadOf(message).properties ?? {}) as Record<string, Schema>;
}

test("it is JSON, the same at the root and under /api/v1, and says where the gateway is", async () => {
  const root = await fetch(`${house.url}/docs/asyncapi.json`);
  expect(root.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(await (await fetch(`${house.url}/api/v1/docs/asyncapi.json`)).text()).toBe(await root.text());
  expect(document.servers).toMatchObject({ hearth: { host: new URL(house.url).host, protocol: "ws" } });
  expect(document.channels).toMatchObject({ gateway: { address: "/ws" } });
});

test("where people come by https, the gateway is at wss", async () => {
  const encrypted = await makeHouse("SQLite", { PUBLIC_URL: "https://chat.example" });
  try {
    await encrypted.open();
    const { servers } = (await (await fetch(`${encrypted.url}/docs/asyncapi.json`)).json()) as Document;
    expect(servers).toMatchObject({ hearth: { host: "chat.example", protocol: "wss" } });
  } finally {
    await encrypted.end();
  }
});

test("every $ref of it leads to something", () => {
  const refs = [...everythingIn(document)].flatMap(([at, { $ref }]) =>
    typeof $ref === "string" ? [{ at, to: typeof found(document, $ref) }] : [],
  );
  expect(refs.length).toBeGreaterThan(events.length);
  expect(refs.filter(({ to }) => to !== "object")).toEqual([]);
});

test("it has every frame of clients and of the gateway, every event, and nothing else", () => {
  const said = ["AUTH", "PING", ...frames.map(({ type }) => type)].map((type) => `client.${type}`);
  const heard = [...own, ...events.map(({ type }) => type)].map((type) => `server.${type}`);
  expect(Object.keys(document.components.messages).sort()).toEqual([...said, ...heard].sort());
  expect(Object.keys(document.channels.gateway.messages).sort()).toEqual([...said, ...heard].sort());
  const carried = Object.values(document.operations).flatMap(({ messages, reply }) =>
    [...messages, ...(reply?.messages ?? [])].map(({ $ref }) => $ref.replace(/.*\//, "")),
  );
  expect(carried.sort()).toEqual([...said, ...heard].sort());
});

test("AUTH is answered by READY or RESUMED, PING by PONG", () => {
  const to = (type: string) =>
    document.operations[`receive.${type}`]?.reply?.messages.map(({ $ref }) => $ref);
  expect(to("AUTH")).toEqual(
    ["READY", "RESUMED"].map((type) => `#/channels/gateway/messages/server.${type}`),
  );
  expect(to("PING")).toEqual(["#/channels/gateway/messages/server.PONG"]);
  const { data } = fieldsOf("client.AUTH");
  expect(data).toMatchObject({
    properties: { token: {}, resume: { properties: { epoch: {}, streams: {}, seen: {} } } },
  });
});

test("of every frame of clients it says what it does", () => {
  for (const { type, data } of frames) {
    expect([type, data.description ?? ""]).toEqual([type, expect.stringMatching(/^[A-Z].{8,}[^.]$/)]);
    expect(document.operations[`receive.${type}`]?.summary).toBe(data.description as string);
  }
});

test("of every event it says what happened, who hears it, whether it is told again, and its shape", () => {
  const places = {
    server: "all members of the server",
    channel: "who see the channel",
    person: "alone",
    people: "the people of their conversations",
  };
  for (const { type, summary, happensIn, live } of events) {
    const said = document.operations[`send.${type}`]?.summary ?? "";
    expect(summary).toMatch(/^[A-Z].{8,}[^.]$/);
    expect(said).toStartWith(`${summary}. Heard by `);
    expect(said).toContain(places[happensIn]);
    expect(said).toEndWith(live ? "Live only." : "Told again after a resume.");
    const properties = fieldsOf(`server.${type}`);
    const { required } = payloadOf(`server.${type}`);
    expect(properties.type).toEqual({ type: "string", const: type });
    expect(Object.keys(properties).includes("seq")).toBe(!live);
    // These name a server, or the stream of somebody who is in the conversation.
    const isEither = happensIn === "channel" || happensIn === "people";
    const place = isEither ? [] : happensIn === "server" ? ["server_id"] : ["stream"];
    expect(required).toEqual(expect.arrayContaining(["type", "ts", "data", ...place]));
    if (isEither) expect(Object.keys(properties)).toEqual(expect.arrayContaining(["server_id", "stream"]));
  }
});

test("a resource is a component, and events refer to it", () => {
  const { data } = fieldsOf("server.MESSAGE_CREATE");
  expect(data).toEqual({ $ref: "#/components/schemas/SharedMessage" });
  const names = [
    "User",
    "Me",
    "Author",
    "Channel",
    "Role",
    "Member",
    "Presence",
    "VoiceState",
    "ServerEntry",
  ];
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
});

test("it has every code that a socket is closed with, and what a client does then", () => {
  const codes = document.channels.gateway["x-close-codes"] as unknown as {
    code: number;
    reasons: string[];
    remedy: string;
  }[];
  const known = [1001, 1006, 1009, ...Object.values(closeCode).map(({ code }) => code)];
  expect(codes.map(({ code }) => code)).toEqual([...new Set(known)].sort((a, b) => a - b));
  for (const { code, reason } of Object.values(closeCode))
    expect(codes.find((each) => each.code === code)?.reasons).toContain(reason);
  const remedies = Object.fromEntries(codes.map(({ code, remedy }) => [code, remedy]));
  for (const code of [1001, 1006, 1012, 4009]) expect([code, remedies[code]]).toEqual([code, "resume"]);
  for (const code of [4001, 4010]) expect([code, remedies[code]]).toEqual([code, "sign in again"]);
  for (const code of [1009, 4002])
    expect([code, remedies[code]]).toEqual([code, "the client is at fault: mend it"]);
  expect(remedies[4008]).toStartWith("wait some seconds");
  expect(remedies[4011]).toStartWith("stay away");
  expect(document.channels.gateway.description).toContain("| 4009 | too slow; resume | resume |");
});

test("every example fits the payload that it is one of", () => {
  ajv.addSchema(document, "gateway");
  for (const [key, { name, examples }] of Object.entries(document.components.messages)) {
    const fits = ajv.compile({ $ref: `gateway#/components/messages/${key}/payload` });
    expect(examples.length).toBe(1);
    for (const { payload } of examples) {
      expect(payload.type).toBe(name);
      fits(payload);
      expect([key, fits.errors ?? []]).toEqual([key, []]);
    }
  }
});
