// Files with a message: how they are added, what is shown at each, and when the message is sent.
import { expect, test } from "bun:test";
import { truncateSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "../house/machine/folder.ts";
import { png } from "../house/scenes/files.ts";
import { expectNoBarriers } from "./axe.ts";
import {
  asksBeforeClosing,
  boxOf,
  composer,
  holds,
  inBothKitchens,
  kept,
  saidIn,
  standing,
} from "./composing.ts";
import { eventually } from "./eventually.ts";
import { held } from "./held.ts";
import { journey, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inBothKitchens("attaching files", (kitchen) => {
  test(
    "files: picked, pasted and dropped, checked before they go, cancelled, tried again, kept over a reload, waited for",
    async () => {
      const { scene, alice, bob, server, path } = kitchen();
      const hers = await scene.watched();
      hers.allow(/ERR_FAILED/);
      const page = await hers.page(path, alice);
      const box = boxOf(page);
      await box.waitFor();
      const input = page.locator("input[type=file]");
      const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
      const file = (name: string, content: string | Uint8Array = "words") => ({
        name,
        mimeType: name.endsWith("png") ? "image/png" : "",
        buffer: Buffer.from(content),
      });

      const folder = temporaryFolder();
      const paths = ["page.html", "film.mp4"].map((name) => `${folder.path}/${name}`);
      for (const each of paths) writeFileSync(each, "words");
      truncateSync(paths[1] ?? "", 26 * 1024 * 1024);
      await input.setInputFiles(paths);
      await card("page.html").getByText("not taken").waitFor();
      await card("film.mp4").getByText("Too big: 26 MB. The limit is 25 MB.").waitFor();
      await box.fill("Look at this");
      // The announcer keeps a sentence for some seconds only.
      await page.evaluate(`{
        window.said = [];
        const note = (changes) => said.push(...changes.flatMap(({ addedNodes }) => [...addedNodes].map((each) => each.textContent)));
        new MutationObserver(note).observe(document.querySelector("#announcer"), { childList: true });
      }`);
      await box.press("Enter");
      await eventually(async () => (await standing(page)).text).toBe("Look at this");
      // The line below the box shows the reason, and the announcer says it.
      const both = "2 files were not sent. Remove them to send the rest.";
      await page.locator("[data-region=composer]").getByText(both, { exact: true }).waitFor();
      await untilSo(page, `said.includes(${JSON.stringify(both)})`);
      // Also where the line would show the length.
      await box.fill("Look at this ".padEnd(3900, "!"));
      await page.locator("[data-region=composer]").getByText(both, { exact: true }).waitFor();
      await box.fill("Look at this");
      await page.getByRole("button", { name: "Remove page.html" }).click();
      await page
        .locator("[data-region=composer]")
        .getByText("One file was not sent. Remove it to send the rest.", { exact: true })
        .waitFor();
      await page.getByRole("button", { name: "Remove film.mp4" }).click();
      await eventually(() => page.getByText("One file was not sent.").count()).toBe(0);
      folder.remove();
      await eventually(async () => (await standing(page)).hasFocus).toBe(true);

      // The network is down: the file shows it, and can be retried.
      await page.route("**/upload", (route) => route.abort(), { times: 1 });
      await input.setInputFiles(file("notes.txt"));
      await card("notes.txt").getByText("Not sent: no connection.").waitFor();
      await page.getByRole("button", { name: "Send notes.txt again" }).click();
      await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
      await expectNoBarriers(page, [360, 1280], composer);

      // Dropped anywhere on the room, and pasted.
      const dropped = await page.evaluateHandle(
        `(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(${JSON.stringify([...png])})], "cup.png", { type: "image/png" })); return data; })()`,
      );
      const room = page.getByRole("main", { name: "general" });
      await room.dispatchEvent("dragover", { dataTransfer: dropped });
      await page.getByText("Drop files to attach them").waitFor();
      await room.dispatchEvent("drop", { dataTransfer: dropped });
      await page.getByText("Drop files to attach them").waitFor({ state: "hidden" });
      await card("cup.png").locator("img[src^='blob:']").waitFor();
      await page.evaluate(
        `(() => { const clipboardData = new DataTransfer(); clipboardData.items.add(new File(["words"], "pasted.txt")); document.querySelector("textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); })()`,
      );
      for (const name of ["cup.png", "pasted.txt"])
        await page.getByRole("button", { name: `Remove ${name}` }).waitFor();

      await kept(page, 'files.length === 3 && text === "Look at this"');
      await page.reload();
      await card("cup.png").waitFor();
      await card("notes.txt").waitFor();
      await eventually(async () => (await standing(page)).text).toBe("Look at this");

      // During an upload: the message waits for it, can be held back, and is then sent by itself.
      let letThrough = () => {};
      const held = new Promise<void>((resolve) => {
        letThrough = resolve;
      });
      await page.route("**/upload", async (route) => {
        await held;
        await route.continue();
      });
      await input.setInputFiles(file("late.txt"));
      await card("late.txt").getByRole("progressbar").waitFor();
      await box.press("Enter");
      await page.getByText("Sends when 4 files are there.").waitFor();
      await box.press("Escape");
      await page.getByRole("button", { name: "Send", exact: true }).waitFor();
      await box.press("Enter");
      await page.getByText("Sends when 4 files are there.").waitFor();
      expect((await saidIn(kitchen()))[0]?.content).not.toBe("Look at this");
      letThrough();
      await page.getByRole("article").filter({ hasText: "Look at this" }).waitFor();
      await holds(page, "");
      const [message] = (
        await bob.get<{ attachments: { name: string }[] }[]>(
          `/channels/${server.general.id}/messages?limit=1`,
        )
      ).body;
      expect(message?.attachments.map(({ name }) => name).sort()).toEqual([
        "cup.png",
        "late.txt",
        "notes.txt",
        "pasted.txt",
      ]);
      await page.unroute("**/upload");

      await input.setInputFiles(Array.from({ length: 12 }, (_, i) => file(`${i}.txt`)));
      await page.getByText("A message takes 10 files. 2 were left out.").waitFor();
      await page.getByRole("button", { name: "Remove 9.txt" }).click();
      await page.getByText("2 were left out.").waitFor({ state: "detached" });
      await hers.close();
    },
    journey,
  );

  test(
    "a page that is closed while a file is on its way asks first, until the file is there",
    async () => {
      const { scene, alice, path } = kitchen();
      const hers = await scene.watched(withoutWorker);
      const page = await hers.page(path, alice);
      await boxOf(page).waitFor();
      await eventually(() => asksBeforeClosing(page)).toBe(false);
      const upload = await held(page, "**/upload");
      const buffer = Buffer.from("words");
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer });
      await upload.asked;
      expect(await asksBeforeClosing(page)).toBe(true);
      await upload.answer();
      await eventually(() => asksBeforeClosing(page)).toBe(false);
      await page.getByRole("button", { name: "Remove notes.txt" }).click();
      await hers.close();
    },
    journey,
  );
});
