// Servers: the communities that people create, own and transfer.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { givenName, httpUrl, id, name, time } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

/** A server as all of its members see it, and as events carry it. */
export const sharedServer = z.object({
  id,
  name: z.string(),
  icon: z.string().nullable(),
  owner_id: id,
  member_count: z.int(),
  created_at: time,
});

export const server = sharedServer
  .extend({
    permissions: z.int().meta({ description: "The caller's effective bits" }),
  })
  .meta({ id: "Server" });

export const readyShapes = {
  server: server.extend({
    role_ids: z.array(id).meta({ description: "The roles that the caller holds" }),
  }),
};

export type SharedServer = z.infer<typeof sharedServer>;
export type Server = z.infer<typeof server>;

export const serverName = name(limits.server_name_max);
const icon = httpUrl.nullable();
const params = z.object({ id });

export const createServer = operation({
  name: "createServer",
  method: "POST",
  path: "/servers",
  summary: "Make a server; the caller owns it",
  caller: "person",
  lane: "write",
  body: z.object({ name: serverName, icon: icon.optional() }),
  answers: { 201: { description: "The server", body: server } },
  errors: ["conflict"],
});

export const listServers = operation({
  name: "listServers",
  method: "GET",
  path: "/servers",
  summary: "The caller's servers",
  caller: "account",
  lane: "read",
  answers: { 200: { description: "The servers, oldest first", body: z.array(server) } },
});

export const getServer = operation({
  name: "getServer",
  method: "GET",
  path: "/servers/{id}",
  summary: "One server of the caller",
  caller: "account",
  lane: "read",
  params,
  answers: { 200: { description: "The server", body: server } },
});

export const updateServer = operation({
  name: "updateServer",
  method: "PATCH",
  path: "/servers/{id}",
  summary: "Rename a server or change its icon (owner only)",
  caller: "person",
  lane: "write",
  params,
  body: z.object({ name: givenName(limits.server_name_max).optional(), icon: icon.optional() }),
  answers: { 200: { description: "The server as it is now", body: server } },
  errors: ["owner_only"],
});

export const deleteServer = operation({
  name: "deleteServer",
  method: "DELETE",
  path: "/servers/{id}",
  summary: "Delete a server and everything in it (owner only)",
  caller: "person",
  lane: "write",
  params,
  answers: { 204: { description: "It is gone" } },
  errors: ["owner_only"],
});

export const handOver = operation({
  name: "handOverServer",
  method: "POST",
  path: "/servers/{id}/owner",
  summary: "Hand a server over to another member (owner only)",
  caller: "person",
  lane: "write",
  params,
  body: z.object({ user_id: id }),
  answers: { 204: { description: "It has a new owner" } },
  errors: ["owner_only", "forbidden", "conflict"],
});

export const serverUpdated = event(kinds.serverUpdated, {
  summary: "The server's name, icon or owner changed",
  data: sharedServer,
  happensIn: "server",
  forgets: () => "*",
  revokes: true,
});

export const serverDeleted = event(kinds.serverDeleted, {
  summary: "The server was deleted; this is its last event",
  data: z.object({ id }),
  happensIn: "server",
  forgets: () => "*",
  revokes: true,
  touches: () => ["*"],
  ends: () => "*",
});
