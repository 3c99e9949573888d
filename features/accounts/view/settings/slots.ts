// Slot in the settings of a profile for later features: the picture.
import { slot } from "../../../../web/ui/loading/slots.ts";
import type { Me } from "../../contract.ts";

export const profilePicture = slot<{ user: Me }>();
