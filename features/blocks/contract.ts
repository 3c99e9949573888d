// Blocks: people from whom the caller wants to hear nothing. The blocked side is never told.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import { user } from "../accounts/contract.ts";
import * as kinds from "./events.ts";

const params = z.object({ userID: id.meta({ description: "Somebody else" }) });

export const listBlocks = operation({
  name: "listBlocks",
  method: "GET",
  path: "/blocks",
  summary: "Whom the caller blocks, the latest first",
  caller: "person",
  lane: "read",
  cost: { worst: 5 },
  answers: { 200: { description: "The blocked people", body: z.array(user) } },
});

export const blockUser = operation({
  name: "blockUser",
  method: "PUT",
  path: "/blocks/{userID}",
  summary: "Block a person who shares a server with the caller; again changes nothing",
  caller: "person",
  lane: "write",
  params,
  answers: { 204: { description: "They are blocked" } },
  errors: ["invalid_request", "conflict"],
});

export const unblockUser = operation({
  name: "unblockUser",
  method: "DELETE",
  path: "/blocks/{userID}",
  summary: "Take a block back; where there is none, nothing changes",
  caller: "person",
  lane: "write",
  params,
  answers: { 204: { description: "They are not blocked" } },
  errors: ["invalid_request"],
});

const blockList = z.object({ user_ids: z.array(id) });

export type BlockList = z.infer<typeof blockList>;

export const blocksUpdated = event(kinds.blocksUpdated, {
  summary: "The person blocks somebody, or no longer; these are all whom they block now",
  data: blockList,
  happensIn: "person",
  replaces: () => "",
  // In a conversation of two, neither may write any more.
  forgets: () => "*",
  revokes: true,
});
