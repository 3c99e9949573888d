// The order in which a person keeps their servers.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

export const setServerOrder = operation({
  name: "setServerOrder",
  method: "PUT",
  path: "/auth/me/server-order",
  summary: "Put the caller's servers into an order; those not named come after, by the time of joining",
  caller: "person",
  lane: "write",
  cost: { worst: 2 },
  body: z.object({
    server_ids: z.array(id).max(limits.server_order_max).meta({
      description: "Servers that the caller is not in, and repetitions, are passed over",
    }),
  }),
  answers: { 204: { description: "They are in this order" } },
});

const serverIds = z
  .array(id)
  .meta({ description: "All of the person's servers, in their own order: one joined later comes last" });

const serverOrder = z.object({ server_ids: serverIds });

export type ServerOrder = z.infer<typeof serverOrder>;

export const serverOrderUpdated = event(kinds.serverOrderUpdated, {
  summary: "The person put their servers into another order",
  data: serverOrder,
  happensIn: "person",
  replaces: () => "",
});

export const readyShapes = { whole: z.object({ server_order: serverIds }) };
