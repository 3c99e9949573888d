// Presence: who is connected, and how they want to appear.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { presenceChoice, presenceStatus } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

const chosenPresence = z.object({ status: presenceChoice });

/** The data of the frame: a choice, or with `auto` what the device of the socket does by itself. */
export const saidPresence = chosenPresence
  .extend({
    auto: z.boolean().optional().meta({
      description:
        "True: `idle` says that nobody touches the device of this socket, `online` that somebody does. It counts for the socket alone, and what was chosen stays",
    }),
  })
  .refine(({ status, auto }) => !auto || status === "online" || status === "idle", {
    error: "`auto` goes with `online` and `idle` alone",
  })
  .meta({
    description:
      "Chooses how others see one (invisible shows as offline), or says by `auto` whether somebody touches the device",
  });

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
  happensIn: "people",
  live: true,
});
