// The AsyncAPI 3.0 description of the gateway: its frames either way, its events, and how sockets begin and end.
import { sessionCookie } from "../caller/authentication.ts";
import type { House } from "../house/house.ts";
import { license, version } from "./about.ts";
import { closeCodes } from "./close-codes.ts";
import { exampleOf } from "./examples.ts";
import { clientFrames, eventFrames, type Frame, gatewayFrames } from "./frames.ts";
import { guide } from "./guide.ts";
import { json } from "./operations.ts";
import { asyncapiDialect as dialect, namedSchemaOf, type Schema, schemaOf } from "./schemas.ts";

/** Some frame types exist in both directions, so messages are named by their sender as well. */
const fromClient = "client";
const fromGateway = "server";

interface Message {
  key: string;
  content: Schema;
}

export function asyncapi(house: House): Schema {
  const schemas: Record<string, Schema> = {};
  const messages = [
    ...clientFrames(house).map((frame) => message(fromClient, frame, schemas)),
    ...[...gatewayFrames(house), ...eventFrames(house)].map((frame) => message(fromGateway, frame, schemas)),
  ];
  return {
    asyncapi: "3.0.0",
    info: { title: "Hearth: the gateway", version, license, description: description() },
    defaultContentType: json,
    servers: { hearth: serverOf(house.publicUrl) },
    channels: { gateway: channel(messages) },
    operations: operations(house),
    components: {
      schemas,
      messages: Object.fromEntries(messages.map(({ key, content }) => [key, content])),
      securitySchemes,
    },
  };
}

function description(): string {
  return guide.map(({ title, text }) => [`## ${title}`, ...text].join("\n\n")).join("\n\n");
}

const securitySchemes = {
  [sessionCookie]: {
    type: "httpApiKey",
    in: "cookie",
    name: sessionCookie,
    description: "The session of a browser, by the request that opens the socket",
  },
  token: { type: "apiKey", in: "password", description: "Of a session or a bot, in the frame AUTH" },
};

function serverOf(publicUrl: string): Schema {
  const { host, protocol } = new URL(publicUrl);
  return {
    host,
    protocol: protocol === "https:" ? "wss" : "ws",
    security: Object.keys(securitySchemes).map((name) => ({ $ref: `#/components/securitySchemes/${name}` })),
  };
}

function message(from: string, { type, summary, feature, shape }: Frame, schemas: Record<string, Schema>) {
  const payload =
    from === fromClient ? schemaOf(dialect, shape, "input") : namedSchemaOf(dialect, shape, schemas);
  const content = {
    name: type,
    summary,
    ...(feature && { tags: [{ name: feature }] }),
    payload,
    examples: [{ payload: exampleOf(payload, schemas) }],
  };
  return { key: keyOf(from, type), content };
}

function keyOf(from: string, type: string): string {
  return `${from}.${type}`;
}

function channel(messages: readonly Message[]): Schema {
  const rows = closeCodes.map(
    ({ code, reasons, remedy }) => `| ${code} | ${reasons.join("; ")} | ${remedy} |`,
  );
  return {
    address: "/ws",
    description: `Sockets are closed with:\n\n| code | why | what a client does |\n|---|---|---|\n${rows.join("\n")}`,
    messages: Object.fromEntries(messages.map(({ key }) => [key, { $ref: `#/components/messages/${key}` }])),
    bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
    // AsyncAPI has no field for close codes.
    "x-close-codes": closeCodes,
  };
}

const gateway = { $ref: "#/channels/gateway" };

/** AsyncAPI describes the server's side: it sends what clients receive, and receives what they send. */
function operations(house: House): Record<string, Schema> {
  const replies: Readonly<Record<string, readonly string[]>> = { AUTH: ["READY", "RESUMED"], PING: ["PONG"] };
  const received = clientFrames(house).map(({ type, summary }) => {
    const answers = replies[type]?.map((each) => inChannel(fromGateway, each));
    const reply = answers && { reply: { channel: gateway, messages: answers } };
    return [`receive.${type}`, operation("receive", summary, inChannel(fromClient, type), reply)];
  });
  const answering = new Set(Object.values(replies).flat());
  const own = gatewayFrames(house).filter(({ type }) => !answering.has(type));
  const sent = [
    ...own.map(({ type, summary }) => [type, summary] as const),
    ...eventFrames(house).map(({ type, ...event }) => [type, hearing(event)] as const),
  ].map(([type, words]) => [`send.${type}`, operation("send", words, inChannel(fromGateway, type))]);
  return Object.fromEntries([...received, ...sent]);
}

function hearing({ summary, heardBy, live }: { summary: string; heardBy: string; live: boolean }): string {
  return `${summary}. Heard by ${heardBy}. ${live ? "Live only" : "Told again after a resume"}.`;
}

function inChannel(from: string, type: string): Schema {
  return { $ref: `#/channels/gateway/messages/${keyOf(from, type)}` };
}

function operation(action: "send" | "receive", summary: string, message: Schema, reply: Schema = {}): Schema {
  return { action, channel: gateway, summary, messages: [message], ...reply };
}
