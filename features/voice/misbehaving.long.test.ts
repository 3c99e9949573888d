// A malicious media service: each call ends with an error in time, and delays nobody else.
import { afterAll, expect, test } from "bun:test";
import { Refusal } from "../../protocol/errors.ts";
import { readConfig } from "../../server/config/config.ts";
import { livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { MisbehavingBackends } from "../../tests/doubles/misbehaving-backends.ts";
import { endlessInterims } from "../../tests/doubles/misdeeds.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { askedAtOnce } from "../../tests/house/scenes/asked-at-once.ts";
import { lookAtVoice } from "./doctor.ts";
import { LiveKit } from "./livekit.ts";

const services = await MisbehavingBackends.open();
const interims = await MisbehavingBackends.open(endlessInterims);
afterAll(() => {
  services.close();
  interims.close();
});

const patienceMs = 2000;
/** Longer than a test may take. */
const hourMs = 3600_000;
const settings = (url: string) => ({ url, key: livekitKey, secret: livekitSecret });

function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "answered",
    (error) => (error instanceof Refusal ? error.code : String(error)),
  );
}

onOneProcess(
  "a media service that means ill",
  (house) => {
    test("each misdeed, all at once: every call is refused as unavailable", async () => {
      const found = await askedAtOnce(house(), services, async ({ url }) => {
        const livekit = new LiveKit(house().running.house, settings(url), patienceMs);
        const came = new Set([await outcome(livekit.rooms())]);
        came.add(await outcome(livekit.participants("room")));
        came.add(await outcome(livekit.remove("room", "alice")));
        return [...came].join();
      });
      expect(found).toEqual(Object.fromEntries(Object.keys(found).map((what) => [what, "unavailable"])));
    });

    test("interim answers without end are ended by their count, whatever time there is", async () => {
      const found = await askedAtOnce(house(), interims, ({ url }) =>
        outcome(new LiveKit(house().running.house, settings(url), hourMs).rooms()),
      );
      expect(Object.values(found)).toEqual(endlessInterims.map(() => "unavailable"));
    });

    test("each misdeed, all at once: the doctor finds that it is not LiveKit", async () => {
      const found = await askedAtOnce(
        house(),
        services,
        async ({ url }) => (await lookAtVoice({ ...readConfig([], {}), livekit: settings(url) })).state,
      );
      expect(new Set(Object.values(found))).toEqual(new Set(["wrong"]));
    });
  },
  { LOG_LEVEL: "silent" },
);
