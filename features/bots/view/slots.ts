// Slots for what later features know of a bot: its commands, and its picture.
import type { OwnServer } from "../../../client/servers.ts";
import { slot } from "../../../web/ui/loading/slots.ts";
import type { Bot } from "../contract.ts";

/** Below each of the user's own bots in this server. */
export const belowBot = slot<{ server: OwnServer; bot: Bot }>();

/** Below each of the user's own bots, wherever it is. */
export const botPicture = slot<{ bot: Bot; onChange(bot: Bot): void }>();
