// What later features know of a bot: its commands.
import type { ServerEntry } from "../../../client/ready.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import type { Bot } from "../contract.ts";

/** Below one's own bot that is in this server. */
export const belowBot = slot<{ server: ServerEntry; bot: Bot }>();
