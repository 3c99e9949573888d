// Kinds of events about the order of a person's servers.
import { kind } from "../../protocol/event.ts";
import type { ServerOrder } from "./contract.ts";

export const serverOrderUpdated = kind<ServerOrder>("SERVER_ORDER_UPDATE");
