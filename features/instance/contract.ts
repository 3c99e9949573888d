// The instance: what a client may need to know before anybody signs in.
import { z } from "zod";
import { operation } from "../../protocol/operation.ts";

export const getInstance = operation({
  name: "getInstance",
  method: "GET",
  path: "/instance",
  summary: "Name, version, limits and features of this instance",
  caller: "public",
  lane: "read",
  answers: {
    200: {
      description: "The instance",
      body: z
        .object({
          name: z.string(),
          version: z.string(),
          registration: z.enum(["open", "invite", "closed"]),
          limits: z.record(z.string(), z.int()),
          features: z.object({
            registration: z.boolean(),
            voice: z.boolean(),
            gifs: z.boolean(),
            push: z.boolean(),
            mail: z.boolean(),
          }),
        })
        .meta({ id: "Instance" }),
    },
  },
});
