// Events about reactions to messages.
import { kind } from "../../protocol/event.ts";
import type { ReactionChange } from "./contract.ts";

export const reactionAdded = kind<ReactionChange>("REACTION_ADD");
export const reactionRemoved = kind<ReactionChange>("REACTION_REMOVE");
