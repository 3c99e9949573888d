// A complete short code, ":tada:", becomes its emoji when it is sent, and sending waits no longer than it must.
import { expect, test } from "bun:test";
import { boxOf, inTheKitchen, saidIn, standing } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { postponed } from "./postponed.ts";
import { journey, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inTheKitchen("short codes", (kitchen) => {
  /** Extends the three seconds after which a text is sent as typed, as the list of emoji may take longer. */
  const patient = postponed(3000);
  const newest = async () => (await saidIn(kitchen()))[0]?.content;

  test(
    "a code that was typed whole is sent as what it means, but in code and behind a backslash",
    async () => {
      const { scene, alice, path } = kitchen();
      const watched = await scene.watched();
      await watched.context.addInitScript(patient);
      const page = await watched.page(path, alice);
      const box = boxOf(page);
      await box.fill("Done :tada: `:tada:` \\:tada: 10:30:45");
      await box.press("Enter");
      await eventually(newest).toBe("Done 🎉 `:tada:` \\:tada: 10:30:45");
      await eventually(() => standing(page)).toEqual({ text: "", hasFocus: true });
      // Once the codes are known, the row appears at once.
      await box.fill(":thumbsup: :nothing_is_called_so:");
      await box.press("Enter");
      await eventually(newest).toBe("👍 :nothing_is_called_so:");
      // The page may receive it a moment later, and until then Up edits the message before.
      await page.locator("[data-state]").waitFor({ state: "detached" });
      await box.press("ArrowUp");
      const correction = page.getByRole("textbox", { name: "Edit message" });
      await correction.fill("Corrected :tada:");
      await correction.press("Enter");
      await eventually(newest).toBe("Corrected 🎉");
      await watched.close();
    },
    journey,
  );

  test(
    "until the list of emoji is there the text stays where it was written, and can be taken back; then it is sent",
    async () => {
      const { scene, alice, path } = kitchen();
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(patient);
      const held = Promise.withResolvers<void>();
      await watched.context.route(/\/assets\/en-[\w-]+\.txt/, async (route) => {
        await held.promise;
        await route.continue();
      });
      const page = await watched.page(path, alice);
      const box = boxOf(page);
      await box.fill("First :tada:");
      await box.press("Enter");
      await untilSo(page, "document.querySelector('textarea').readOnly");
      expect(await standing(page)).toEqual({ text: "First :tada:", hasFocus: true });
      await box.press("Escape");
      await untilSo(page, "!document.querySelector('textarea').readOnly");
      await box.fill("Second :tada:");
      await box.press("Enter");
      held.resolve();
      await eventually(newest).toBe("Second 🎉");
      await eventually(() => standing(page)).toEqual({ text: "", hasFocus: true });
      await watched.close();
    },
    journey,
  );

  test(
    "without the list of emoji it is sent as it was typed",
    async () => {
      const { scene, alice, path } = kitchen();
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 404/);
      await watched.context.route(/\/assets\/en-[\w-]+\.txt/, (route) => route.fulfill({ status: 404 }));
      const page = await watched.page(path, alice);
      await boxOf(page).fill("As typed :tada:");
      await boxOf(page).press("Enter");
      await eventually(newest).toBe("As typed :tada:");
      await watched.close();
    },
    journey,
  );
});
