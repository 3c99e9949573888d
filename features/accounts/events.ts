// Kinds of events about people.
import { kind } from "../../protocol/event.ts";
import type { User } from "./contract.ts";

export const userUpdated = kind<User>("USER_UPDATE");
