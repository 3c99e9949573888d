// The people who hold a role come page by page, while others give it and take it.
import { test } from "bun:test";
import type { Page } from "playwright-core";
import { comeIn, crowd } from "../house/scenes/crowd.ts";
import { eventually } from "./eventually.ts";
import { furnished } from "./furnished-server.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("pages of those who hold a role", (scene) => {
  /** The page of the role Helpers, which so many people hold, of whom two come at once. */
  async function helpersPage(name: string, count: number) {
    const { owner, member, server, helpers } = await furnished(scene, name);
    const ids = await crowd(scene.house, member, count);
    await comeIn(scene.house, server.id, ids, helpers.id);
    const watched = await scene.watched(withoutWorker);
    let asked = Promise.withResolvers<() => Promise<void>>();
    let isHeld = true;
    await watched.context.route(new RegExp(`/members\\?.*role_id=${helpers.id}`), async (route) => {
      const response = await route.fetch({ url: route.request().url().replace("limit=50", "limit=2") });
      const answer = () => route.fulfill({ response });
      if (isHeld) asked.resolve(answer);
      else await answer();
    });
    const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
    const row = page.getByRole("grid", { name: "Roles" }).getByRole("row").filter({ hasText: "Helpers" });
    await row.getByText(`${count} people`).waitFor();
    await row.click();
    const hold = (id: string, ...role_ids: string[]) =>
      owner.put(`/servers/${server.id}/members/${id}/roles`, { role_ids });
    return {
      ...{ watched, page, ids, member, helpers, hold },
      /** Waits until the page has heard how many there are. */
      heard: (now: number) => row.getByText(`${now} people`).waitFor(),
      /** Lets the answer that is held come. */
      answer: async () => {
        await (await asked.promise)();
        asked = Promise.withResolvers();
      },
      asked: () => asked.promise,
      letAllCome: () => {
        isHeld = false;
      },
    };
  }

  const shown = (page: Page, ids: readonly string[]) => async () => {
    const texts = await page
      .getByRole("list", { name: "People with Helpers" })
      .getByRole("listitem")
      .allTextContents();
    return texts.map((text) => ids.findIndex((id) => text.includes(id)));
  };

  test(
    "who loses the role while a page of its people is on its way is not in the list",
    async () => {
      const { watched, page, ids, hold, heard, asked, answer } = await helpersPage("Ferry", 6);
      const [first = "", , , fourth = ""] = ids;
      await asked();
      await hold(first);
      await heard(5);
      await answer();
      await eventually(shown(page, ids)).toEqual([1]);
      await page.getByRole("button", { name: "Show more", exact: true }).click();
      await asked();
      await hold(fourth);
      await heard(4);
      await answer();
      await eventually(shown(page, ids)).toEqual([1, 2]);
      await watched.close();
    },
    journey,
  );

  test(
    "who gains the role stands among the people that are loaded, and these stay",
    async () => {
      const { watched, page, ids, member, helpers, hold, letAllCome, answer } = await helpersPage("Quay", 7);
      letAllCome();
      await answer();
      const more = page.getByRole("button", { name: "Show more", exact: true });
      await eventually(shown(page, ids)).toEqual([0, 1]);
      await more.click();
      await eventually(shown(page, ids)).toEqual([0, 1, 2, 3]);
      await hold(member.id, helpers.id);
      await eventually(shown(page, ids)).toEqual([-1, 0, 1, 2, 3]);
      await more.click();
      await eventually(shown(page, ids)).toEqual([-1, 0, 1, 2, 3, 4, 5]);
      await watched.close();
    },
    journey,
  );

  test(
    "a member for the role is found behind more people of the same name than are offered, who hold it already",
    async () => {
      const { owner, server, helpers } = await furnished(scene, "Jetty");
      const many: string[] = [];
      for (let i = 0; i < 9; i++) many.push((await scene.person("ada")).id);
      await comeIn(scene.house, server.id, many, helpers.id);
      const wanted = await scene.person("ada");
      await owner.bringIn(server.id, wanted);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/roles`, owner);
      await page.getByRole("grid", { name: "Roles" }).getByRole("row").filter({ hasText: "Helpers" }).click();
      await page.getByRole("listitem").filter({ hasText: "ada" }).first().waitFor();
      await page.getByRole("combobox", { name: "Add a member" }).fill("ada");
      await page.getByRole("option").filter({ hasText: wanted.username }).waitFor();
      await watched.close();
    },
    journey,
  );
});
