// Slot in the overview of a server's settings for later features: the picture, for its owner.
import type { OwnServer } from "../../../client/servers.ts";
import { slot } from "../../../web/ui/loading/slots.ts";

export const serverPicture = slot<{ server: OwnServer }>();
