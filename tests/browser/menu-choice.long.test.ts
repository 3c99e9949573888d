// Choosing a menu item moves the keyboard focus at once: keys pressed before the next frame go to the chosen dialog.
import { test } from "bun:test";
import { eventually } from "./eventually.ts";
import { inChromium, journey, untilSo } from "./scene.ts";

inChromium("keys after a choice in a menu", (scene) => {
  test(
    "go into the dialog that was chosen, also before the next frame, and the focus comes back to the menu's button",
    async () => {
      const { alice, server } = await scene.twoPeople("Home");
      const { watched, page } = await scene.open(alice, server);
      const menu = page.getByRole("button", { name: "Server menu" });
      // Loads the parts for the menu and the dialog.
      await menu.click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
      await name.waitFor();
      await page.keyboard.press("Escape");
      await name.waitFor({ state: "detached" });

      await menu.press("Enter");
      await page.getByRole("menu").waitFor();
      const item = page.getByRole("menuitem", { name: "Create channel" });
      await item.focus();
      await page.evaluate(`
        frames = [];
        untouched = requestAnimationFrame;
        requestAnimationFrame = (draw) => frames.push(draw);
      `);
      await page.keyboard.press("Enter");
      await page.keyboard.type("kitchen");
      await page.evaluate(`
        requestAnimationFrame = untouched;
        for (const draw of frames) requestAnimationFrame(draw);
      `);
      await name.waitFor();
      await eventually(() => name.inputValue()).toBe("kitchen");
      await page.getByRole("button", { name: "Cancel" }).click();
      await name.waitFor({ state: "detached" });
      await untilSo(page, "document.activeElement.ariaLabel === 'Server menu'");
      await watched.close();
    },
    journey,
  );
});
