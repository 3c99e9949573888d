// Kinds of events about people.
import { kind } from "../../protocol/event.ts";
import type { Me, User } from "./contract.ts";

export const meUpdated = kind<Me>("ME_UPDATE");
export const userUpdated = kind<User>("USER_UPDATE");
