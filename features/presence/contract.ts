// Presence: who is connected, and how they wish to be seen.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { presenceStatus } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

export const chosenPresence = z.object({ status: z.enum(["online", "idle", "dnd", "invisible"]) });

export const setPresence = operation({
  name: "setPresence",
  method: "PUT",
  path: "/auth/me/presence",
  summary: "Choose how others see the caller; invisible shows as offline",
  caller: "person",
  lane: "own",
  body: chosenPresence,
  answers: { 204: { description: "It is so" } },
});

/** How somebody is seen; READY lists those who are not offline. */
const presence = z.object({ user_id: id, status: presenceStatus, status_text: z.string() });

export type Presence = z.infer<typeof presence>;

export const presenceUpdated = event(kinds.presenceUpdated, {
  data: presence,
  happensIn: "server",
  live: true,
});
