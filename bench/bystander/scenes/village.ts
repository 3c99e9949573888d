// People and their servers, nothing more.
import type { Scene } from "../attack.ts";

export const village: Scene<undefined> = { name: "village", prepare: async () => undefined };
