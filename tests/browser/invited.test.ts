// An invite's page when its first answer changes: a rate limit is waited out, and an invite ends while it is shown.
import { expect, test } from "bun:test";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("an invite's page", (scene) => {
  test(
    "that met a limit shows the invite without a press, and asks no sooner than it may",
    async () => {
      const { alice, server } = await scene.twoPeople("The kitchen");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 429/);
      const answers: number[] = [];
      let end: number | undefined;
      await watched.context.route(`**/invites/${code}`, async (route) => {
        end ??= Date.now() + 1000;
        const leftMs = end - Date.now();
        answers.push(leftMs > 0 ? 429 : 200);
        if (leftMs <= 0) return route.continue();
        const json = { error: "Too fast.", code: "rate_limited", retry_after: Math.ceil(leftMs / 1000) };
        await route.fulfill({ status: 429, json });
      });
      const page = await watched.page(`/invite/${code}`, await scene.person("carol"));
      await page.getByRole("button", { name: "Join", exact: true }).waitFor();
      await page.getByRole("heading", { name: "The kitchen", exact: true }).waitFor();
      expect(answers).toEqual([429, 200]);
      await watched.close();
    },
    journey,
  );

  test(
    "that is used up while it is looked at says so to whoever wanted to join",
    async () => {
      const { alice, server } = await scene.twoPeople("The kitchen");
      const asked = { server_id: server.id, max_uses: 1 };
      const { code } = (await alice.post<{ code: string }>("/invites", asked)).body;
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 410/);
      const page = await watched.page(`/invite/${code}`, await scene.person("carol"));
      const join = page.getByRole("button", { name: "Join", exact: true });
      await join.waitFor();
      await (await scene.person("dave")).post(`/invites/${code}/join`);
      await join.click();
      await page.getByRole("heading", { name: "This invite has ended" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
