// Pages of settings on a phone: what lies in them ends where the rest ends, and codes stay whole.
import { beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import type { TestPerson } from "../house/people/people.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { phone } from "./touch.ts";

const wide = { ...phone, viewport: { width: 390, height: 844 } };

inChromium("settings on a phone", (scene) => {
  /** The owner of the instance: the first who registers. */
  let alice: TestPerson;

  beforeAll(async () => {
    alice = await scene.person("alice");
  });

  test(
    "the code of an invite stays in one line beside or above its buttons",
    async () => {
      const server = await alice.makeServer("The village");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const hers = await scene.watched(wide);
      const page = await hers.page(`/servers/${server.id}/settings/invites`, alice);
      const shown = page.getByText(code, { exact: true });
      await shown.waitFor();
      expect((await shown.boundingBox())?.height ?? 0).toBeLessThan(30);
      const item = page.getByRole("listitem").filter({ hasText: code });
      const revoke = item.getByRole("button", { name: `Revoke ${code}` });
      expect(await endOf(revoke)).toBeLessThanOrEqual(await endOf(item));
      expect(await endOf(shown)).toBeLessThanOrEqual(await endOf(item));
      await hers.close();
    },
    journey,
  );

  test(
    "the search for people, the preview of a profile and the texts of Health end where the rest ends",
    async () => {
      const hers = await scene.watched(wide);
      hers.allow(/status of (409|503)/);
      const page = await hers.page("/admin/people", alice);
      const search = page.getByRole("searchbox", { name: "Find somebody" });
      await search.waitFor();
      await eventually(() => endOf(search)).toBe(await endOf(page.getByText("By a part of their name")));

      await page.goto("/settings/profile");
      const field = page.getByRole("textbox", { name: "Display name" }).locator("xpath=..");
      const card = page.getByRole("region", { name: /as others see it/ });
      await card.waitFor();
      await eventually(() => endOf(card)).toBe(await endOf(field));

      await page.goto("/admin/health");
      const part = page.getByRole("listitem").filter({ hasText: "Data folder" });
      await part.waitFor();
      await eventually(() => endOf(part.locator("p").first())).toBe(await endOf(part));
      await hers.close();
    },
    journey,
  );
  test(
    "back asks each time before what was typed into a dialog is lost",
    async () => {
      const server = await alice.makeServer("The village");
      const hers = await scene.watched(wide);
      const at = `/servers/${server.id}/channels/${server.general.id}/settings/webhooks`;
      const page = await hers.page(at, alice);
      await page.getByRole("button", { name: "New webhook" }).tap();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Name" }).fill("Bakery");
      for (let i = 0; i < 2; i++) {
        await page.goBack();
        await dialog.getByRole("button", { name: "Keep typing" }).tap();
      }
      expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Bakery");
      expect(new URL(page.url()).pathname).toBe(at);
      await page.goBack();
      await dialog.getByRole("button", { name: "Discard it" }).tap();
      await dialog.waitFor({ state: "detached" });
      expect(new URL(page.url()).pathname).toBe(at);
      await hers.close();
    },
    journey,
  );

  test(
    "each search has its glass, and a list of one page says no numbers below",
    async () => {
      const server = await alice.makeServer("The village");
      const hers = await scene.watched(wide);
      const page = await hers.page(`/servers/${server.id}/settings/members`, alice);
      const glass = (name: string) =>
        page.getByRole("searchbox", { name }).locator("xpath=../*[name()='svg']");
      await glass("Find a member").waitFor();
      await page.goto("/admin/people");
      await glass("Find somebody").waitFor();
      // Read out after a search, but not shown.
      const span = page.getByRole("status").filter({ hasText: /^1$/ });
      await eventually(async () => (await span.locator("xpath=..").boundingBox())?.height).toBe(1);
      await hers.close();
    },
    journey,
  );
});

/** Its right edge, in whole pixels. */
async function endOf(of: Locator): Promise<number> {
  const box = await of.boundingBox();
  return Math.round((box?.x ?? 0) + (box?.width ?? 0));
}
