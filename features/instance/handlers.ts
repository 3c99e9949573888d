// Operations and commands about the instance: its name, limits and features, and settings that admins and the operator
// change.
import { limits } from "../../protocol/limits.ts";
import { renamed } from "../../protocol/renamed.ts";
import { type InstanceSettings, instanceSettings } from "../../server/config/config.ts";
import { version } from "../../server/config/version.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import type { House } from "../../server/house/house.ts";
import { needInstanceAdmin } from "../accounts/access.ts";
import { changeSettings, chosenSettings, settingsNow } from "./access.ts";
import * as contract from "./contract.ts";
import { anotherCode, codeOfStart, endCodes, keepCodes, setupOf } from "./setup.ts";

export const instance: Feature = {
  name: "instance",
  operations: [
    handle(contract.getInstance, async ({ unit, request }) => {
      const { name, registration } = await settingsNow(unit);
      const { livekit, gifs, mail, publicUrl } = unit.house.config;
      return {
        name,
        version,
        registration,
        setup: await setupOf(unit, request.raw.headers),
        public_url: publicUrl ?? null,
        limits,
        features: {
          registration: registration !== "closed",
          voice: livekit !== undefined,
          gifs: gifs !== undefined,
          push: true,
          mail: mail !== undefined,
        },
      };
    }),

    handle(contract.getSettings, async ({ caller, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      return { ...(await settingsNow(unit)), fixed: unit.house.config.instance.fixed };
    }),

    handle(contract.setSettings, async ({ caller, body, unit }) => {
      const { settings, changed } = await unit.write(async (write) => {
        await needInstanceAdmin(write, caller.userId);
        renamed("name", (await settingsNow(write)).name, body.name, contract.instanceName);
        return changeSettings(write, body);
      });
      const { house } = unit;
      for (const name of changed)
        house.log.info({ by: caller.userId, [name]: settings[name] }, "a setting was changed");
      return { ...settings, fixed: house.config.instance.fixed };
    }),
  ],
  commands: [
    {
      name: "setup-code",
      takes: [],
      meaning: "print another code for the first registration, in place of the one of the start",
      run: async (house) => [setupLine(await anotherCode(house))],
    },
    {
      name: "settings",
      takes: [],
      meaning: "list what admins of the instance changed while a server ran",
      run: listSettings,
    },
  ],
  jobs: [keepCodes],
  async starting(house) {
    const code = await codeOfStart(house);
    return code === undefined ? [] : [setupLine(code)];
  },
  close: endCodes,
};

/** Returns a line for each setting: its name, a blank, its value. */
async function listSettings({ config, database }: House): Promise<string[]> {
  const chosen = Object.entries(await chosenSettings(config, database.read));
  const lines = chosen.map(([name, value]) => `${instanceSettings[name as keyof InstanceSettings]} ${value}`);
  return lines.length > 0 ? lines : ["Nothing was changed while a server ran."];
}

function setupLine(code: string): string {
  return `Set-up code: ${code}`;
}
