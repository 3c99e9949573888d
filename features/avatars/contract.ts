// Own pictures of people, servers and bots: uploaded, cut to a square, and drawn anew in three sizes.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { me } from "../accounts/contract.ts";
import { bot } from "../bots/contract.ts";
import { server } from "../servers/contract.ts";

const params = z.object({ id });

/** The common part of the three operations that put up a picture. */
const puttingUp = {
  method: "PUT",
  caller: "person",
  // The file is received and drawn before the transaction begins.
  lane: "own",
  rate: "avatars",
  cost: { worst: 3 },
  consumes: "multipart/form-data",
  fields: {
    x: "Of the square's corner at the top left, in pixels of the picture as it is shown",
    y: "Of that corner, too; `x`, `y` and `size` come together, or the middle square is taken",
    size: "Of the square, which is inside the picture",
  },
} as const;
const refusals = ["invalid_request", "too_large", "unsupported_type", "unavailable"] as const;
const takingAway = { method: "DELETE", caller: "person", lane: "write" } as const;

const megabytes = limits.avatar_bytes_max / 1024 / 1024;
const taken = `a JPEG, PNG, GIF, WebP or AVIF of at most ${megabytes} MiB, ${limits.avatar_side_min} pixels a side and more`;

export const setAvatar = operation({
  ...puttingUp,
  name: "setAvatar",
  path: "/auth/me/avatar",
  summary: `Put up a picture of oneself, as a form with one file part: ${taken}`,
  answers: { 200: { description: "The profile as it is now", body: me } },
  errors: refusals,
});

export const deleteAvatar = operation({
  ...takingAway,
  name: "deleteAvatar",
  path: "/auth/me/avatar",
  summary: "Take one's own picture away; the derived one comes back, if there is one",
  answers: { 204: { description: "It is gone" } },
});

export const setServerIcon = operation({
  ...puttingUp,
  name: "setServerIcon",
  path: "/servers/{id}/icon",
  summary: `Put up a picture of a server (owner only), as a form with one file part: ${taken}`,
  params,
  answers: { 200: { description: "The server as it is now", body: server } },
  errors: ["owner_only", ...refusals],
});

export const deleteServerIcon = operation({
  ...takingAway,
  name: "deleteServerIcon",
  path: "/servers/{id}/icon",
  summary: "Take the picture of a server away (owner only)",
  params,
  answers: { 204: { description: "It is gone" } },
  errors: ["owner_only"],
});

export const setBotAvatar = operation({
  ...puttingUp,
  name: "setBotAvatar",
  path: "/bots/{id}/avatar",
  summary: `Put up a picture of a bot (its owner only), as a form with one file part: ${taken}`,
  params,
  answers: { 200: { description: "The bot as it is now", body: bot } },
  errors: refusals,
});

export const deleteBotAvatar = operation({
  ...takingAway,
  name: "deleteBotAvatar",
  path: "/bots/{id}/avatar",
  summary: "Take the picture of a bot away (its owner only)",
  params,
  answers: { 204: { description: "It is gone" } },
});

const file = z.string().regex(/^[0-9a-f]{32}(-64|-512)?\.webp$/);

export const getAvatar = operation({
  name: "getAvatar",
  method: "GET",
  path: "/avatars/{name}",
  summary: "An own picture, 256 pixels a side; with -64 or -512 before the dot in another size",
  caller: "public",
  lane: "read",
  atRoot: true,
  produces: "image/webp",
  params: z.object({ name: file }),
  answers: {
    200: {
      description: "The picture, which never changes under its name",
      headers: { ETag: z.string().meta({ description: "For If-None-Match" }) },
    },
    304: { description: "The caller has it already" },
  },
});
