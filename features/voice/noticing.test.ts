// Missing webhooks, and those signed with another key, are reported in the log, but not each of them.
import { afterAll, afterEach, expect, setSystemTime, test } from "bun:test";
import { LiveKitDouble, livekitKey, livekitSecret } from "../../tests/doubles/livekit.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import { askToken, enter, type Parlour, parlour } from "../../tests/house/scenes/parlour.ts";
import { reconcile } from "./reconciling.ts";

const media = new LiveKitDouble();
afterEach(() => {
  setSystemTime();
  media.signsWith = { key: livekitKey, secret: livekitSecret };
});
afterAll(() => media.stop());

onEachEngine(
  "webhooks that go wrong",
  (house) => {
    /** A server without warnings so far. Its own reconciliation after a second would find people first. */
    async function anew(): Promise<Parlour> {
      await house().restart();
      await house().stopJobs();
      return parlour(house(), media);
    }

    /** Returns the log lines about webhooks that `work` causes: setting the clock is logged, too. */
    async function warnings(work: () => Promise<unknown>): Promise<string[]> {
      using log = new Logged(house(), "warn");
      await work();
      return log.calls.map((call) => JSON.stringify(call)).filter((line) => line.includes("webhook"));
    }

    const wrongs: [string, { key: string; secret: string }, string][] = [
      ["another key", { key: "another", secret: livekitSecret }, "another API key"],
      ["another secret", { key: livekitKey, secret: "quite another secret, but long" }, "another secret"],
    ];
    for (const [what, signsWith, fault] of wrongs) {
      test(`signed with ${what}: one warning an hour says so, and what to compare`, async () => {
        const { room } = await anew();
        media.signsWith = signsWith;
        const told = await warnings(async () => {
          for (let i = 0; i < 5; i++) expect((await media.tell("room_finished", room, {}))?.status).toBe(401);
        });
        expect(told).toHaveLength(1);
        for (const part of [fault, "LIVEKIT_API_KEY", "webhook.api_key", "hearth doctor voice"]) {
          expect(told[0]).toContain(part);
        }
        setSystemTime(new Date(Date.now() + 61 * 60_000));
        expect(await warnings(() => media.tell("room_finished", room, {}))).toHaveLength(1);
      });
    }

    test("too old: the clocks are named", async () => {
      const { room } = await anew();
      const body = JSON.stringify({ ...media.eventOf("room_finished", room), createdAt: "1700000000" });
      const told = await warnings(() => media.send(body));
      expect(told.join()).toContain("clocks are apart");
    });

    for (const [what, byMs] of [
      ["has run out", -20 * 60_000],
      ["does not hold yet", 20 * 60_000],
    ] as const)
      test(`with a signature that ${what}: the clocks are named`, async () => {
        const { room } = await anew();
        const body = JSON.stringify(media.eventOf("room_finished", room));
        setSystemTime(new Date(Date.now() + byMs));
        const headers = await media.signatureOf(body);
        setSystemTime();
        const told = await warnings(async () => {
          const answer = await fetch(String(media.webhookUrl), { method: "POST", body, headers });
          expect(answer.status).toBe(401);
        });
        expect(told).toEqual([expect.stringContaining("clocks are apart")]);
      });

    test("what anybody sends who has no idea of LiveKit is no reason to warn", async () => {
      await anew();
      const url = String(media.webhookUrl);
      const told = await warnings(async () => {
        for (const Authorization of [
          "x",
          "Bearer x",
          "a.b.c",
          "a.bnVsbA.c",
          "a.e30.c",
          `${"a".repeat(5000)}.`,
        ]) {
          expect((await fetch(url, { method: "POST", body: "{}", headers: { Authorization } })).status).toBe(
            401,
          );
        }
      });
      expect(told).toEqual([]);
    });

    test("not coming: the comparison that finds somebody warns, once", async () => {
      const { bob, carol, room } = await anew();
      media.webhookUrl = undefined;
      await media.join((await askToken(bob, room)).body.token);
      // The webhook about a recent arrival may still be on its way.
      expect(await warnings(() => reconcile(house().running.house))).toEqual([]);
      await media.join((await askToken(carol, room)).body.token);
      setSystemTime(new Date(Date.now() + 30_000));
      const told = await warnings(() => reconcile(house().running.house));
      expect(told).toHaveLength(1);
      for (const part of ["webhook.urls", "30 s late", "hearth doctor voice"])
        expect(told[0]).toContain(part);
      await media.leave(room, carol.id);
      await reconcile(house().running.house);
      await media.join((await askToken(carol, room)).body.token);
      setSystemTime(new Date(Date.now() + 30_000));
      expect(await warnings(() => reconcile(house().running.house))).toEqual([]);
    });

    test("coming as they should: no warning, also of who came while Hearth was not there", async () => {
      const { bob, carol, room } = await parlour(house(), media);
      const { token } = (await askToken(carol, room)).body;
      await house().shut();
      await media.join(token, { tells: false });
      setSystemTime(new Date(Date.now() + 1000));
      await house().open();
      await house().stopJobs();
      media.webhookUrl = `${house().url}/api/v1/voice/webhook`;
      await enter(media, bob, room);
      setSystemTime(new Date(Date.now() + 30_000));
      expect(await warnings(() => reconcile(house().running.house))).toEqual([]);
    });
  },
  media.settings,
);
