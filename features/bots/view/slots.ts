// Slots for what later features know of a bot: its commands.
import type { ServerEntry } from "../../../client/ready.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import type { Bot } from "../contract.ts";

/** Below each of the user's own bots in this server. */
export const belowBot = slot<{ server: ServerEntry; bot: Bot }>();
