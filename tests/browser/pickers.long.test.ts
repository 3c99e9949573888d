// Emoji and GIFs, searched and chosen by keyboard.
import { expect, test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf, holds, inTheKitchen, saidIn, standing, writes } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { journey, untilSo } from "./scene.ts";

inTheKitchen("pickers", (kitchen) => {
  test(
    "pickers: emoji by keyboard, in the tone that was chosen, and GIFs, which are posted as their address",
    async () => {
      const { scene, gifs, alice, path } = kitchen();
      const picture = (i: number) => `https://push.example/gif/${i}.gif`;
      gifs.instead = ({ url }) => {
        const words = new URL(url).searchParams.get("q");
        const data = Array.from({ length: words === "nothing" ? 0 : 6 }, (_, i) => ({
          id: i,
          slug: `${i}`,
          title: `${words ?? "popular"} ${i}`,
          type: "gif",
          file: Object.fromEntries(
            ["hd", "md", "sm", "xs"].map((size) => [
              size,
              { gif: { url: picture(i), width: 200, height: 100, size: 10 } },
            ]),
          ),
        }));
        return Response.json({
          result: true,
          data: { data, current_page: 1, per_page: 24, has_next: false },
        });
      };
      const hers = await scene.watched({ reducedMotion: "reduce" });
      const page = await hers.page(path, alice);
      const box = boxOf(page);
      await box.waitFor();
      await box.fill("so far");
      await page.keyboard.press("End");
      await page.getByRole("button", { name: "Emoji" }).click();
      const search = page.getByRole("combobox", { name: "Search emoji" });
      await search.waitFor();
      await page.getByRole("gridcell").first().waitFor();
      await untilSo(page, "document.activeElement?.getAttribute('role') === 'combobox'");
      await expectNoBarriers(page, [360, 1280], "[role=dialog]");
      await search.fill("crossed fi");
      await page.getByRole("gridcell", { name: "crossed fingers" }).waitFor();
      await eventually(async () => (await page.getByRole("dialog").ariaSnapshot()).split("\n")).toEqual([
        '- dialog "Emoji":',
        '  - combobox "Search emoji" [expanded]: crossed fi',
        `  - 'button "Skin tone: as they are"': ✋`,
        '  - toolbar "Groups of emoji":',
        '    - button "Found"',
        '  - grid "Emoji":',
        '    - row "Found":',
        '      - columnheader "Found"',
        '    - row "crossed fingers":',
        '      - gridcell "crossed fingers" [selected]: 🤞',
      ]);
      await page.keyboard.press("Shift+Enter");
      await holds(page, "so far🤞");
      await search.fill("");
      await page.getByRole("button", { name: "Skin tone" }).click();
      await page.getByRole("button", { name: "dark", exact: true }).click();
      await search.fill("thumbs up");
      await page.getByRole("gridcell", { name: "thumbs up" }).waitFor();
      await search.press("Enter");
      await search.waitFor({ state: "hidden" });
      await holds(page, "so far🤞👍🏿");
      await writes(page);
      await page.getByRole("button", { name: "Emoji" }).click();
      await search.waitFor();
      // The last used comes first.
      await page.getByRole("gridcell", { name: "thumbs up" }).first().waitFor();
      await search.press("Escape");
      await search.waitFor({ state: "hidden" });
      await untilSo(page, "document.activeElement?.getAttribute('aria-label') === 'Emoji'");

      await page.getByRole("button", { name: "GIF" }).click();
      const asking = page.getByRole("combobox", { name: "Search GIFs" });
      await asking.waitFor();
      await page.getByRole("option", { name: "popular 0" }).locator("canvas").waitFor();
      await expectNoBarriers(page, [360, 1280], "[role=dialog]");
      await asking.fill("nothing");
      await page.getByText("No GIF for “nothing”.").waitFor();
      await asking.fill("owls");
      // GIFs that are shown until the owls are there are not meant.
      await asking.press("Enter");
      await page.getByRole("option", { name: "owls 3" }).waitFor();
      expect((await saidIn(kitchen()))[0]?.content ?? "").not.toContain("http");
      await asking.press("ArrowDown");
      await asking.press("ArrowRight");
      await eventually(() => page.getByRole("option", { selected: true }).getAttribute("aria-label")).toBe(
        "owls 3",
      );
      await asking.press("Enter");
      await asking.waitFor({ state: "hidden" });
      await writes(page);
      // The text written before stays.
      await eventually(async () => (await standing(page)).text).toBe("so far🤞👍🏿");
      await until(
        async () => (await saidIn(kitchen()))[0]?.content === picture(3),
        "the GIF was never posted",
      );
      await box.fill("");
      await hers.close();
    },
    journey,
  );

  test(
    "pickers: Enter behind a word takes what the word finds, before that is drawn",
    async () => {
      const { scene, alice, path } = kitchen();
      const hers = await scene.watched();
      const page = await hers.page(path, alice);
      await page.getByRole("button", { name: "Emoji" }).click();
      await page.getByRole("gridcell").first().waitFor();
      await page.evaluate(`(async () => {
        const search = document.querySelector("[role=dialog] input");
        const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
        set.call(search, "crossed fi");
        search.dispatchEvent(new InputEvent("input", { bubbles: true }));
        await undefined;
        search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
      })()`);
      await holds(page, "🤞");
      await boxOf(page).fill("");
      await hers.close();
    },
    journey,
  );
});
