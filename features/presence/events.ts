// Events about the presence of people.
import { kind } from "../../protocol/event.ts";
import type { Presence } from "./contract.ts";

export const presenceUpdated = kind<Presence>("PRESENCE_UPDATE");
