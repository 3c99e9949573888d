// Every frame of the gateway, in both directions: its own few, and those of the features.
import { z } from "zod";
import { authData, resumeData } from "../../protocol/client-frames.ts";
import type { EventDeclaration } from "../../protocol/event.ts";
import { ownStream } from "../../protocol/frames.ts";
import { id, time } from "../../protocol/shapes.ts";
import type { House } from "../house/house.ts";
import { refusal } from "./refusals.ts";

export interface Frame {
  type: string;
  /** A description for people. */
  summary: string;
  /** The feature that it belongs to; the gateway's own frames have none. */
  feature?: string;
  /** The shape of the whole frame. */
  shape: z.ZodObject;
}

export interface EventFrame extends Frame {
  /** The people who receive it, in words. */
  heardBy: string;
  live: boolean;
}

/** The frames that clients may send. */
export function clientFrames(house: House): Frame[] {
  const auth = authData.extend({ resume: resumeData.optional() });
  const own = [
    fromClient("AUTH", "The first frame: who this is, and where to go on after a lost connection", auth),
    fromClient("PING", "Asks for a PONG", z.object({}).optional()),
  ];
  const theirs = house.features.flatMap(({ name, frames = [] }) =>
    frames.map(({ type, data }) => ({
      ...fromClient(type, data.description ?? type, data),
      feature: name,
    })),
  );
  return [...own, ...theirs];
}

function fromClient(type: string, summary: string, data: z.ZodType): Frame {
  return { type, summary, shape: z.object({ type: z.literal(type), data }) };
}

/** The frames that the gateway sends besides the features' events. */
export function gatewayFrames(house: House): Frame[] {
  const entry = serverEntry(house);
  const missed = z.int().meta({ description: "How many events were missed, and came before this" });
  return [
    fromGateway("READY", "The answer to AUTH: the state of one moment", readyData(house, entry)),
    fromGateway(
      "RESUMED",
      "The answer to AUTH with a `resume` that succeeded, after every missed event in its order",
      z.object({ replayed: missed }),
    ),
    fromGateway("PONG", "The answer to PING", z.object({})),
    fromGateway("ERROR", "A frame was refused; the socket stays", refusal),
    fromGateway(
      "SERVER_CREATE",
      "To a person who just came into a server: its entry as READY would have it. Of each channel where something was said since they joined, a READ_STATE_UPDATE without a number follows; the others are read",
      entry,
    ),
  ];
}

function fromGateway(type: string, summary: string, data: z.ZodType): Frame {
  return { type, summary, shape: z.object({ type: z.literal(type), ts: time, data }) };
}

const seq = z.int().min(1);
const head = z.int().min(0);

function serverEntry(house: House): z.ZodObject {
  const parts = house.features.map(({ readyShapes }) => readyShapes?.server?.shape);
  return z
    .object(Object.assign({ id }, ...parts, { seq: head.meta({ description: "Of the last event in it" }) }))
    .meta({ id: "ServerEntry" });
}

function readyData(house: House, entry: z.ZodObject): z.ZodObject {
  const parts = house.features.map(({ readyShapes }) => readyShapes?.whole?.shape);
  return z.object({
    ...Object.assign({}, ...parts),
    personal: z.object({ seq: head.meta({ description: "Of the last event of one's own stream" }) }),
    session_id: z.string().meta({ description: "Empty for a bot" }),
    epoch: z.string().meta({ description: "Names the log; numbers of another one mean nothing here" }),
    heartbeat_interval_ms: z.int().meta({ description: "How often to send a PING" }),
    servers: z.array(entry),
  });
}

const heardBy = {
  server: "all members of the server",
  channel: "members of the server who see the channel, or the people of the conversation",
  person: "the person alone, on all of their connections",
  people: "members of the person's servers, and the people of their conversations",
};

/** The features' events. */
export function eventFrames(house: House): EventFrame[] {
  return house.features.flatMap(({ name, events = [] }) =>
    events.map((event) => ({
      type: event.type,
      summary: event.summary,
      feature: name,
      heardBy: heardBy[event.happensIn],
      live: event.live ?? false,
      shape: eventShape(event),
    })),
  );
}

/** The members of a frame that name its stream. */
const placeShapes = {
  server: { server_id: id },
  // The channel is in a server, or is a conversation.
  channel: { server_id: id.optional(), stream: z.literal(ownStream).optional() },
  person: { stream: z.literal(ownStream) },
  // About a person: in their servers, and to the people of their conversations.
  people: { server_id: id.optional(), stream: z.literal(ownStream).optional() },
};

function eventShape({ type, happensIn, live, data }: EventDeclaration): z.ZodObject {
  const place = placeShapes[happensIn];
  // A listener gets these without a number when a channel comes into sight or goes out of it, and for what is unread in
  // that channel or in a server that they join.
  const number = happensIn === "server" ? seq : seq.optional();
  return z.object({ type: z.literal(type), ...place, ...(!live && { seq: number }), ts: time, data });
}
