// The copy of the description that Schemathesis gets: the cookie as a header, and ids that exist where ids are asked for.
import { knownPassword, type Stage } from "./stage.ts";

type Schema = Record<string, unknown>;

interface Parameter extends Schema {
  in: string;
  name: string;
  schema?: { properties?: Record<string, Schema> };
}

interface Described extends Schema {
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, { description: string }>;
}

export interface Description extends Schema {
  paths: Record<string, Record<string, Described>>;
}

const nobodysId = "01890000-0000-7000-8000-000000000000";

/** What a name in a path, a query or a body stands for; `id` takes its meaning from the word before it. */
const kindOf: Record<string, string> = {
  serverID: "server",
  server_id: "server",
  channelID: "channel",
  channel_id: "channel",
  messageID: "message",
  reply_to: "message",
  message_ids: "message",
  before: "message",
  around: "message",
  roleID: "role",
  role_ids: "role",
  userID: "user",
  user_id: "user",
  code: "code",
  servers: "server",
  channels: "channel",
  messages: "message",
  users: "user",
  bots: "bot",
  roomID: "room",
  filename: "file",
  "loginWithPassword.email": "login",
};

/** What these end, or take from the caller, is none of the things that the others look at. */
const spareFor: Record<string, string> = {
  "deleteServer.id": "server",
  "handOverServer.id": "handedOver",
  "leaveServer.id": "visited",
  "deleteChannel.id": "channel",
  "deleteMessage.messageID": "message",
  "deleteBot.id": "bot",
  "removeBotFromServer.id": "leavingBot",
  "bulkDeleteMessages.message_ids": "cleared",
  "deleteRole.roleID": "role",
  "kickMember.userID": "kicked",
  "banUser.userID": "user",
  "deleteInvite.code": "code",
  "endSession.id": "session",
};

/** Rules that no word of the format can say: a few values that keep them stand for all. */
const narrowed: Record<string, string[]> = {
  emoji: ["🎉", ":wave:", "👩‍🚀"],
  time_zone: ["Europe/Berlin", "UTC"],
  current_password: [knownPassword, "wrong horse battery"],
  "loginWithPassword.password": [knownPassword],
};

/** A name that reads right and leads nowhere is offered too, but where it would be refused as a wrong value. */
const onlyKnown = new Set(["role_ids", "reply_to", "before", "around"]);

type Offered = Pick<Stage, "kept" | "spare">;

export function copyFor(description: Description, stage: Offered): Description {
  const copy = structuredClone(description);
  delete copy.produces;
  copy.securityDefinitions = { app_session: { type: "apiKey", in: "header", name: "Cookie" } };
  for (const [path, methods] of Object.entries(copy.paths)) {
    for (const operation of Object.values(methods)) {
      makeStrict(operation, description.produces);
      for (const parameter of operation.parameters) {
        if (parameter.in === "body") {
          giveFields(operation.operationId, parameter.schema?.properties ?? {}, stage);
        } else givePlace(path, operation.operationId, parameter, stage);
      }
    }
  }
  return copy;
}

/** What is not named is a failure here, and nothing that the server needs is away. */
function makeStrict(operation: Described, produces: unknown): void {
  const { responses } = operation;
  delete responses.default;
  if (!responses["503"]?.description.includes("not_configured")) delete responses["503"];
  delete responses["500"];
  // Swagger 2.0 cannot say that one of the answers has no content, and so no type of it.
  if (responses["204"]) delete operation.produces;
  else operation.produces ??= produces;
}

function givePlace(path: string, operationId: string, parameter: Parameter, stage: Offered): void {
  const parts = path.split("/");
  const word = parts[parts.indexOf(`{${parameter.name}}`) - 1] ?? "";
  const kind = kindOf[parameter.name === "id" ? word : parameter.name];
  const known = thingsFor(`${operationId}.${parameter.name}`, kind, stage);
  if (known) offer(parameter, onlyKnown.has(parameter.name) ? known : [...known, nobody(known)]);
}

function giveFields(operationId: string, properties: Record<string, Schema>, stage: Offered): void {
  for (const [name, property] of Object.entries(properties)) {
    const target = property.type === "array" ? (property.items as Schema) : property;
    const own = `${operationId}.${name}`;
    const known = thingsFor(own, kindOf[own] ?? kindOf[name], stage);
    const few = narrowed[own] ?? narrowed[name];
    if (few) offer(target, few);
    else if (known) offer(target, onlyKnown.has(name) ? known : [...known, nobody(known)]);
    else if (target.format === "uri") target.pattern = "^https://pictures[.]example/[a-z0-9]{1,20}$";
  }
}

function thingsFor(own: string, kind: string | undefined, { kept, spare }: Offered): string[] | undefined {
  const ended = spareFor[own];
  if (ended !== undefined) return spare[ended];
  return kind === undefined ? undefined : kept[kind];
}

function offer(schema: Schema, values: readonly string[]): void {
  delete schema.pattern;
  delete schema.format;
  schema.enum = values;
}

/** Like the others, and nobody's. */
function nobody(known: readonly string[]): string {
  return /^[0-9a-f-]{36}$/.test(known[0] ?? "") ? nobodysId : "nothing";
}
