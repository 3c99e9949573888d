// Kinds of events about the members of a server.
import { kind } from "../../protocol/event.ts";
import type { Member } from "./contract.ts";

export const memberAdded = kind<Member>("SERVER_MEMBER_ADD");
export const memberRemoved = kind<{ user_id: string; reason: "left" | "kicked" | "banned" }>(
  "SERVER_MEMBER_REMOVE",
);
