// The instance: facts that a client may need before anybody signs in, and settings that its admins can change.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { givenName, name } from "../../protocol/shapes.ts";

export const instanceName = name(limits.instance_name_max);
const registration = z.enum(["open", "invite", "closed"]);

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
          registration,
          setup: z.enum(["done", "open", "code"]).meta({
            description:
              "`open`: the next registration makes the owner of the instance; `code`: it must bring `setup_code`",
          }),
          public_url: z.string().nullable().meta({
            description:
              "The address of this instance for people (`PUBLIC_URL`); null: none is set, so a page makes links from the address at which it is",
          }),
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

const settings = z
  .object({
    registration,
    name: z.string(),
    fixed: z.array(z.enum(["registration", "name"])).meta({
      description: "Those that are set where the server was started; another value is refused (409)",
    }),
  })
  .meta({ id: "InstanceSettings" });

export const getSettings = operation({
  name: "getInstanceSettings",
  method: "GET",
  path: "/admin/settings",
  summary: "What can be changed while the server runs (admins of the instance)",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The settings in force", body: settings } },
  errors: ["forbidden"],
});

export const setSettings = operation({
  name: "setInstanceSettings",
  method: "PUT",
  path: "/admin/settings",
  summary: "Change who may register, and what the instance is called (admins of the instance)",
  caller: "person",
  lane: "own",
  body: z.object({
    registration: registration.optional().meta({ description: "Left out: it stays as it is" }),
    name: givenName(limits.instance_name_max).optional().meta({ description: "Left out: it stays as it is" }),
  }),
  answers: { 200: { description: "The settings as they are now", body: settings } },
  errors: ["forbidden", "conflict"],
});
