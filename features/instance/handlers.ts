// Tells clients the name, limits and abilities of this instance.
import { limits } from "../../protocol/limits.ts";
import { version } from "../../server/config/version.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { getInstance } from "./contract.ts";

export const instance: Feature = {
  name: "instance",
  operations: [
    handle(getInstance, async ({ unit }) => ({
      name: "Hearth",
      version,
      registration: unit.house.config.registration,
      limits,
      features: {
        registration: unit.house.config.registration !== "closed",
        voice: unit.house.config.livekit !== undefined,
        gifs: unit.house.config.gifs !== undefined,
        push: true,
        mail: unit.house.config.mail !== undefined,
      },
    })),
  ],
};
