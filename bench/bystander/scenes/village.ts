// Only people and their servers.
import type { Scene } from "../attack.ts";

export const village: Scene<undefined> = { name: "village", prepare: async () => undefined };
