// Slots for what later features know of a bot: its commands.
import type { OwnServer } from "../../../client/servers.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import type { Bot } from "../contract.ts";

/** Below each of the user's own bots in this server. */
export const belowBot = slot<{ server: OwnServer; bot: Bot }>();
