// Permissions-Policy as the browser understands it: what the page may use, and that nothing is denied twice or unheard of.
import { expect, test } from "bun:test";
import { furnished } from "./furnished-server.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

const needed = [
  ...["microphone", "camera", "display-capture", "fullscreen", "autoplay", "clipboard-write"],
  ...["publickey-credentials-get", "publickey-credentials-create"],
];

/** Left as browsers have them: used by voice, or asking nobody and telling nothing about them. */
const leftAlone =
  /^(ch-.*|aria-notify|cross-origin-isolated|deferred-fetch.*|local-network.*|loopback-network|media-playback-while-not-visible|private-state-token.*|speaker-selection|unload)$/;

inChromium("features of the browser", (scene) => {
  test(
    "the page may use what Hearth needs, and nothing else that asks or watches somebody",
    async () => {
      const { owner, server } = await furnished(scene, "Lock");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, owner);
      const ask = (what: string) => page.evaluate<string[]>(`document.featurePolicy.${what}()`);
      const [known, allowed] = [await ask("features"), await ask("allowedFeatures")];
      expect(allowed.filter((name) => !leftAlone.test(name)).sort()).toEqual(needed.toSorted());
      const header = (await page.request.get("/")).headers()["permissions-policy"] ?? "";
      const named = header.split(", ").map((entry) => entry.replace(/=.*/, ""));
      expect(named.filter((name) => !known.includes(name))).toEqual([]);
      expect(new Set(named).size).toBe(named.length);
      await watched.close();
    },
    journey,
  );
});
