// The accessibility tree of the list, the composer, and the dialogs that no other test covers.
import { expect, test } from "bun:test";
import { composer } from "./composing.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { steady } from "./steady-tree.ts";

inChromium("the accessibility tree", (scene) => {
  test(
    "of rows, of the composer, and of the dialogs in which one makes a channel, invites people and adds a server",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      for (const each of [alice, bob])
        await each.patch("/auth/me", { display_name: each === alice ? "Alice" : "Bob" });
      const asked = await bob.say(general.id, "Who **cooks**? See https://example.com");
      const said = await alice.say(general.id, "Me.", { reply_to: asked.id });
      const { watched, page } = await scene.open(alice, server);
      await rowOf(page, said).waitFor();
      for (const message of [asked, said])
        expect(steady(await rowOf(page, message).ariaSnapshot())).toMatchSnapshot();
      expect(steady(await page.locator(composer).ariaSnapshot())).toMatchSnapshot();

      const dialog = page.getByRole("dialog");
      const menu = page.getByRole("button", { name: "Server menu" });
      for (const item of ["Create channel", "Invite people"]) {
        await menu.click();
        await page.getByRole("menuitem", { name: item }).click();
        await dialog.waitFor();
        // An invite's link comes a moment after its dialog.
        await dialog.getByRole("textbox").first().waitFor();
        expect(steady(await dialog.ariaSnapshot())).toMatchSnapshot();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
      }
      await page.getByRole("button", { name: "Add a server" }).click();
      await dialog.waitFor();
      expect(steady(await dialog.ariaSnapshot())).toMatchSnapshot();
      await watched.close();
    },
    journey,
  );
});
