// The page's frame in a real browser: by keys alone, on a phone, and while channels are created and deleted.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { hasFocus, inChromium, journey, untilSo } from "./scene.ts";
import { swipeBack } from "./touch.ts";
import { village } from "./village.ts";

inChromium("the frame", (scene) => {
  test(
    "by keys alone one finds a channel, walks through the parts of the page, says what one does; the focus is never lost",
    async () => {
      const { alice, bob, server, cellar } = await village(scene);
      const other = await alice.makeServer("The harbour");
      await bob.say(cellar.id, "The wine is here");
      const hers = await scene.watched();
      const page = await hers.page(`/servers/${server.id}`, alice);
      await page.getByRole("main", { name: "general" }).waitFor();

      await page.keyboard.press("Control+k");
      const box = page.getByRole("dialog", { name: "Go to" }).getByRole("combobox", { name: "Go to" });
      await box.waitFor();
      await page.keyboard.type("gar");
      await page.getByRole("option", { name: /^garden/ }).waitFor();
      expect(await page.getByRole("dialog").ariaSnapshot()).toMatchSnapshot();
      await expectNoBarriers(page);
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "garden" }).waitFor();
      await eventually(() => hasFocus(page)).toBe(true);

      await page.keyboard.press("Alt+ArrowUp");
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.keyboard.press("Alt+Shift+ArrowDown");
      await page.getByRole("main", { name: "cellar" }).waitFor();
      await page.keyboard.press("Alt+ArrowLeft");
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.keyboard.press("Control+Alt+ArrowDown");
      await page
        .getByRole("link", { name: "The harbour" })
        .and(page.locator("[aria-current=page]"))
        .waitFor();
      expect(page.url()).toContain(other.id);

      const regions: (string | null)[] = [];
      for (let i = 0; i < 6; i++) {
        await page.keyboard.press("F6");
        await eventually(() => hasFocus(page)).toBe(true);
        regions.push(await page.locator("[data-region]:focus-within").last().getAttribute("data-region"));
      }
      for (const each of ["servers", "channels", "messages", "composer", "panel"])
        expect(regions).toContain(each);

      await page.getByRole("button", { name: "You" }).focus();
      await page.keyboard.press("Enter");
      const item = page.getByRole("menuitem", { name: "Set status" });
      await item.waitFor();
      await item.press("Enter");
      const status = page.getByRole("dialog", { name: "Set status" });
      await status.getByRole("textbox", { name: "What are you doing?" }).fill("Mending nets");
      await expectNoBarriers(page);
      await page.keyboard.press("Enter");
      await status.waitFor({ state: "detached" });
      await page.getByText("Mending nets").first().waitFor();
      await untilSo(page, `document.activeElement?.getAttribute("aria-label") === "You"`);

      await page.keyboard.press("Control+/");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await page.getByRole("button", { name: /^Members: Ctrl U/ }).press("Enter");
      await page.keyboard.press("Control+Shift+u");
      await page.getByRole("button", { name: /^Members: Ctrl ⇧ U|^Members: Ctrl Shift U/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await eventually(() => hasFocus(page)).toBe(true);
      const members = page.getByRole("complementary", { name: "Members" });
      await members.waitFor();
      await page.keyboard.press("Control+Shift+u");
      await members.waitFor({ state: "detached" });
      await hers.close();
    },
    journey,
  );

  test(
    "channels are made, moved by keys and by hand, folded and deleted; others see it at once",
    async () => {
      const { alice, bob, server, cellar } = await village(scene);
      const [hers, his] = [await scene.watched(), await scene.watched()];
      const page = await hers.page(`/servers/${server.id}`, alice);
      const bobs = await his.page(`/servers/${server.id}`, bob);
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      await page.getByRole("textbox", { name: "Channel name" }).fill("attic");
      await page.getByRole("combobox", { name: "Category" }).selectOption("Outside");
      await page.getByRole("button", { name: "Create channel" }).last().click();
      await page.getByRole("main", { name: "attic" }).waitFor();
      await bobs.getByRole("link", { name: "attic" }).waitFor();
      await inOrder(bobs, ["general", "garden", "cellar", "attic"]);

      await page.getByRole("button", { name: "Channel menu" }).press("Enter");
      await page.getByRole("menuitem", { name: "Move up" }).press("Enter");
      for (const each of [bobs, page]) await inOrder(each, ["general", "garden", "attic", "cellar"]);
      await page.getByRole("link", { name: "cellar" }).dragTo(page.getByRole("link", { name: "garden" }));
      await inOrder(bobs, ["general", "cellar", "garden", "attic"]);
      await inOrder(page, ["general", "cellar", "garden", "attic"]);

      await bobs.getByRole("button", { name: "Outside" }).click();
      await inOrder(bobs, ["general"]);
      await alice.say(cellar.id, "The wine is here");
      await bobs.getByRole("link", { name: "cellar unread" }).waitFor();
      await bobs.reload();
      await inOrder(bobs, ["general", "cellar"]);
      await expectNoBarriers(bobs);

      await page.getByRole("button", { name: "Channel menu" }).press("Enter");
      await page.getByRole("menuitem", { name: "Delete channel" }).press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Delete channel" }).click();
      await page.getByRole("main", { name: "#attic is not here any more" }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await eventually(() => hasFocus(page)).toBe(true);
      await hers.close();
      await his.close();
    },
    journey,
  );

  test(
    "a phone shows one pane at a time; back and forward lead through them",
    async () => {
      const { alice, bob, server, cellar } = await village(scene);
      await bob.say(cellar.id, `@${alice.username} the wine is here`);
      const hers = await scene.watched({
        viewport: { width: 360, height: 740 },
        hasTouch: true,
        isMobile: true,
      });
      const page = await hers.page("/", alice);
      await page.getByRole("main").getByRole("link", { name: "cellar 1 mention" }).waitFor();
      await eventually(() => page.getByRole("main").count()).toBe(1);
      await page.getByRole("link", { name: /^Mentions/ }).tap();
      await page
        .getByRole("main", { name: "Mentions" })
        .getByRole("link", { name: /cellar/ })
        .tap();
      await page.getByRole("main", { name: "cellar" }).waitFor();
      await eventually(() => page.getByRole("navigation", { name: "Servers" }).count()).toBe(0);
      await page.getByRole("button", { name: "Members" }).tap();
      const members = page.getByRole("complementary", { name: "Members" });
      await members.getByRole("heading", { level: 1 }).waitFor();
      await eventually(() => page.getByRole("main").count()).toBe(0);
      // The pane alone: it is complementary here as well, and axe wants a main part of each page.
      await expectNoBarriers(page, [360], "[data-region=panel]");
      await page.goBack();
      await page.getByRole("main", { name: "cellar" }).waitFor();
      await page.getByRole("button", { name: "Back to channels" }).tap();
      await page.getByRole("main", { name: "Mentions" }).waitFor();
      await page.getByRole("link", { name: "Servers" }).tap();
      await page.waitForURL(({ search }) => search === "");
      await page.getByRole("link", { name: "garden" }).tap();
      await page.getByRole("main", { name: "garden" }).waitFor();
      await swipeBack(page);
      await page.getByRole("main", { name: "garden" }).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Servers" }).tap();
      await page.getByRole("navigation", { name: "Channels" }).waitFor();
      await page.getByRole("button", { name: "You" }).tap();
      await page.getByRole("menuitem", { name: "Settings" }).waitFor();
      await expectNoBarriers(page, [360]);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole("main", { name: "garden" }).waitFor();
      expect(server.id).toBe(new URL(page.url()).pathname.split("/")[2] ?? "");
      await hers.close();
    },
    journey,
  );
});

/** Waits until the list shows these channels, from top to bottom. */
function inOrder(page: Page, names: readonly string[]): Promise<void> {
  const shown = `[...document.querySelectorAll("nav[aria-label=Channels] a")].map((a) => a.querySelector("span").textContent)`;
  return untilSo(page, `JSON.stringify(${shown}) === ${JSON.stringify(JSON.stringify(names))}`);
}
