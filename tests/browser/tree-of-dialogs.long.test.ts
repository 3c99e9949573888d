// The accessibility tree of overlays: the switcher, the emoji, a person's card, the sheet of keys.
import { expect, test } from "bun:test";
import { boxOf } from "./composing.ts";
import { inChromium, journey, withVoice } from "./scene.ts";
import { steady } from "./steady-tree.ts";

inChromium(
  "the accessibility tree of what opens",
  (scene) => {
    test(
      "of the switcher, the emoji, the card of a person and the sheet of keys",
      async () => {
        const { alice, bob, server, general } = await scene.twoPeople();
        for (const each of [alice, bob])
          await each.patch("/auth/me", { display_name: each === alice ? "Alice" : "Bob" });
        await bob.patch("/auth/me", { bio: "Bakes." });
        const { body: recipes } = await alice.post<{ id: string }>("/channels", {
          server_id: server.id,
          name: "recipes",
        });
        await bob.say(recipes.id, `@${alice.username} bread?`);
        await bob.say(general.id, "Hello");
        const { watched, page } = await scene.open(alice, server);
        await boxOf(page).waitFor();
        const dialog = page.getByRole("dialog");
        const tree = async () => steady(await dialog.ariaSnapshot());
        const close = async () => {
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        };

        await page.keyboard.press("Control+k");
        await dialog.getByRole("combobox", { name: "Go to" }).fill("re");
        await dialog.getByRole("option", { name: /recipes/ }).waitFor();
        expect(await tree()).toMatchSnapshot("switcher");
        await dialog.getByRole("combobox", { name: "Go to" }).fill("xyz");
        await dialog.getByText(/xyz/).waitFor();
        expect(await tree()).toMatchSnapshot("switcher that finds nothing");
        await close();

        await page.getByRole("button", { name: "Emoji" }).click();
        await dialog.getByRole("combobox", { name: "Search emoji" }).fill("crossed fi");
        await dialog.getByRole("gridcell", { name: "crossed fingers" }).waitFor();
        await dialog.getByRole("button", { name: /^Skin tone/ }).click();
        await dialog.getByRole("button", { name: "dark", exact: true }).waitFor();
        expect(await tree()).toMatchSnapshot("emoji");
        await close();

        await page.getByRole("article").last().getByRole("button", { name: "Bob" }).click();
        await dialog.getByText("Bakes.").waitFor();
        await dialog.getByRole("button", { name: "More", exact: true }).waitFor();
        expect(await tree()).toMatchSnapshot("card");
        await close();

        await page.keyboard.press("Control+/");
        // The keys of calls are loaded when the page is idle.
        await dialog.getByRole("button", { name: /^Stop listening/ }).waitFor();
        expect(await tree()).toMatchSnapshot("keys");
        await watched.close();
      },
      journey,
    );
  },
  withVoice,
);
