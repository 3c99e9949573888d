// Right-to-left names and messages in a left-to-right page: a name does not reverse the sentence around it, and a
// message has its bullets and bars at the start of its lines.
import { expect, test } from "bun:test";
import { eventually } from "./eventually.ts";
import { inChromium, journey, rowOf } from "./scene.ts";

const dana = "דנה (2)";

inChromium("names that run the other way", (scene) => {
  test(
    "in the typing line, in a dialog, in the switcher and in a row's name each is isolated from what comes after it",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople("מטבח");
      await bob.patch("/auth/me", { display_name: dana });
      const ear = await bob.listen();
      const message = await bob.say(general.id, "שלום, 12 world.");
      const watched = await scene.watched();
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, message).waitFor();
      await eventually(() => rowOf(page, message).getAttribute("aria-label")).toStartWith(
        `\u2068${dana}\u2069, `,
      );

      ear.say("TYPING_START", { channel_id: general.id });
      const typing = page.locator("b").filter({ hasText: dana }).first();
      await typing.waitFor();
      const isolation = `getComputedStyle([...document.querySelectorAll("b")].find((each) => each.textContent === ${JSON.stringify(dana)})).unicodeBidi`;
      expect(await page.evaluate<string>(isolation)).toBe("isolate");

      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).fill("דנה");
      await page.getByRole("option").locator("bdi").filter({ hasText: dana }).waitFor();
      await page.keyboard.press("Escape");

      await page.goto(`/servers/${server.id}/settings/members`);
      await page.getByRole("button", { name: `More for ${dana}` }).click();
      await page.getByRole("menuitem", { name: "Kick" }).click();
      await page.getByText(`\u2068${dana}\u2069 leaves \u2068מטבח\u2069 at once`).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "in lists and quotes each bullet, number and bar stands where its own line begins, whatever it stands in",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await bob.say(
        general.id,
        [
          "- שלום לכולם",
          "- hello",
          "",
          "1. 2026, אחד",
          "2. two",
          "",
          "> שלום",
          "",
          "words between",
          "",
          "> hello שלום",
          "",
          "words between",
          "",
          "> - שלום",
          "> - hello",
        ].join("\n"),
      );
      const { watched, page } = await scene.open(alice, server);
      await rowOf(page, said).getByText("words between").last().waitFor();
      // The side with the margin for the bullet, inside of the list, or with the bar.
      const sides = await page.evaluate<[string, string][]>(`[...document.querySelectorAll(
        '[data-message-id="${said.id}"] :is(li, blockquote)')].map((each) => {
          const { marginLeft, marginRight } = getComputedStyle(each);
          const { left } = getComputedStyle(each, "::before");
          const isLeft = each.matches("li") ? marginLeft === "24px" && marginRight === "0px" : left === "0px";
          return [each.textContent, isLeft ? "left" : "right"];
        })`);
      expect(sides).toEqual([
        ["שלום לכולם", "right"],
        ["hello", "left"],
        ["2026, אחד", "right"],
        ["two", "left"],
        ["שלום", "right"],
        ["hello שלום", "left"],
        ["שלוםhello", "right"],
        ["שלום", "right"],
        ["hello", "left"],
      ]);
      await watched.close();
    },
    journey,
  );
});
