// Files as phones and browsers make them: animated pictures, sound in a video container, and refused files.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { movingPicture, pictureOf } from "../house/material/images.ts";
import { upload } from "../house/scenes/files.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, rowOf, untilSo } from "./scene.ts";

/** A sound recorded by the browser's MediaRecorder; a busy machine records nothing for a while. */
const recorded = `new Promise((resolve) => {
  const audio = new AudioContext();
  const tone = audio.createOscillator();
  const end = audio.createMediaStreamDestination();
  tone.connect(end);
  tone.start();
  const recorder = new MediaRecorder(end.stream, { mimeType: "audio/webm" });
  const pieces = [];
  recorder.ondataavailable = ({ data }) => {
    pieces.push(data);
    const bytes = pieces.reduce((sum, { size }) => sum + size, 0);
    if (bytes > 1000 && recorder.state === "recording") recorder.stop();
  };
  recorder.onstop = async () => resolve([...new Uint8Array(await new Blob(pieces).arrayBuffer())]);
  recorder.start(100);
})`;

inChromium("files as they are", (scene) => {
  test(
    "A WebP that moves does so, small or large, and stands still for who wants less motion; a still one is its preview",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const large = await upload(bob, "large.webp", await movingPicture("webp", 1200, 900));
      const small = await upload(bob, "small.jpg", await movingPicture("webp", 90, 60));
      const still = await upload(bob, "still.webp", await pictureOf("webp", { width: 1200, height: 900 }));
      const files = await bob.say(general.id, "", { attachments: [large.url, small.url, still.url] });
      const sources = (page: Page) =>
        page.evaluate<(string | null)[]>(
          `[...document.querySelectorAll('[data-message-id="${files.id}"] [class*=picture] img')].map((each) => each.getAttribute("src"))`,
        );

      const moving = await scene.open(alice, server);
      const row = rowOf(moving.page, files);
      await row.locator("img").nth(2).waitFor();
      await eventually(() => sources(moving.page)).toEqual([large.url, small.url, still.preview_url]);
      await moving.watched.close();

      const calm = await scene.open(alice, server, { reducedMotion: "reduce" });
      const calmRow = rowOf(calm.page, files);
      await calmRow.getByRole("button", { name: "Play large.webp" }).waitFor();
      await calmRow.getByRole("button", { name: "Play small.jpg" }).waitFor();
      await eventually(() => calmRow.locator("canvas").count()).toBe(2);
      await eventually(() => calmRow.getByRole("button", { name: /^Play/ }).count()).toBe(2);
      await calm.watched.close();
    },
    journey,
  );

  test(
    "What a browser recorded is sound with its name, though its container is that of films",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server);
      const bytes = await page.evaluate<number[]>(recorded);
      const file = await upload(bob, "memo.webm", new Uint8Array(bytes));
      expect(file.content_type).toBe("audio/webm");
      const said = await bob.say(general.id, "", { attachments: [file.url] });
      const row = rowOf(page, said);
      await row.getByText("memo.webm").waitFor();
      await eventually(() => row.locator("audio").count()).toBe(1);
      await eventually(() => row.locator("video").count()).toBe(0);
      await untilSo(page, `document.querySelector("audio")?.readyState > 0`);
      await watched.close();
    },
    journey,
  );

  test(
    "A file that the server refuses is told in German to who reads German",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, { locale: "de-DE" }, /status of (400|415)/);
      const input = page.locator("input[type=file]");
      const card = (name: string) => page.getByRole("listitem").filter({ hasText: name });
      await input.setInputFiles([
        { name: "bild.png", mimeType: "image/png", buffer: Buffer.from("<svg onload='x'>") },
        { name: "un\u200bsichtbar.txt", mimeType: "", buffer: Buffer.from("x") },
        { name: "seite.html", mimeType: "", buffer: Buffer.from("x") },
        { name: "bericht.txt.", mimeType: "", buffer: Buffer.from("Worte") },
      ]);
      await card("bild.png").getByText("Ihr Inhalt passt nicht zum Namen").waitFor();
      await card("sichtbar.txt").getByText("Ihr Name enthält unsichtbare Zeichen").waitFor();
      await card("seite.html").getByText("Solche Dateien werden nicht angenommen").waitFor();
      await page.getByRole("button", { name: "bericht.txt. entfernen" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
