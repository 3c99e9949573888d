// Presence: who is connected, and how they want to appear.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { presenceStatus } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

export const chosenPresence = z
  .object({ status: z.enum(["online", "idle", "dnd", "invisible"]) })
  .meta({ description: "Chooses how others see one; invisible shows as offline" });

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

/** How a person appears to others. */
const presence = z
  .object({ user_id: id, status: presenceStatus, status_text: z.string() })
  .meta({ id: "Presence" });

export const readyShapes = {
  server: z.object({
    presences: z
      .array(presence)
      .meta({ description: `Those who are not offline, at most ${limits.presences_max}` }),
  }),
};

export type Presence = z.infer<typeof presence>;

export const presenceUpdated = event(kinds.presenceUpdated, {
  summary: "A person came, went, or is seen with another status",
  data: presence,
  happensIn: "server",
  live: true,
});
