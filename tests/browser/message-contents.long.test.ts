// The content of a message: Markdown, code, mentions, replies, pictures, recordings, and copies of it.
import { expect, test } from "bun:test";
import sharp from "sharp";
import type { Message } from "../../features/messages/contract.ts";
import { answering } from "../doubles/picture-host.ts";
import { until } from "../house/machine/waiting.ts";
import { pictureOf } from "../house/material/images.ts";
import { upload } from "../house/scenes/files.ts";
import { reachedBy } from "../house/scenes/pictures.ts";
import { expectNoBarriers } from "./axe.ts";
import { copiedText } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { focusedMessage, inChromium, journey, rowOf, untilSo, watchFor } from "./scene.ts";
import { untilStill, wheel } from "./watching-rows.ts";

inChromium("what messages hold", (scene) => {
  const host = reachedBy(() => scene.house);

  test(
    "What people write is shown as they mean it: Markdown, code, calls, replies, pictures of files, emoji alone",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const role = (
        await alice.post<{ id: string }>(`/servers/${server.id}/roles`, {
          name: "cooks",
          permissions: 0,
          position: 1,
          color: "#2f8f83",
        })
      ).body;
      await alice.put(`/servers/${server.id}/members/${bob.id}/roles`, { role_ids: [role.id] });
      const [wide, file] = [
        await upload(bob, "wide.png", await pictureOf("png", { width: 1680, height: 600 })),
        await upload(bob, "list.txt", "flour\nsugar\n"),
      ];
      const asked = await bob.say(general.id, `@${alice.username} **how** much *salt*? ask #general`);
      const answered = await alice.say(general.id, "```js\nconst salt = 1;\n```\n||not much||", {
        reply_to: asked.id,
      });
      const lost = await bob.say(general.id, "goes away");
      const orphan = await bob.say(general.id, "🎉 🎉", { reply_to: lost.id });
      await bob.delete(`/messages/${lost.id}`);
      const files = await bob.say(general.id, "", { attachments: [wide.url, file.url] });
      const { body: webhook } = await alice.post<{ id: string; token: string }>(
        `/channels/${general.id}/webhooks`,
        { name: "builds" },
      );
      const { body: built } = await alice.post<Message>(
        `/webhooks/${webhook.id}/${webhook.token}?wait=true`,
        { content: `\`\`\`\n${"salt ".repeat(200)}\n\`\`\`` },
      );
      const { watched, page } = await scene.open(alice, server);

      const first = rowOf(page, asked);
      await first.locator("strong", { hasText: "how" }).waitFor();
      await eventually(() => first.locator("em").textContent()).toBe("salt");
      await eventually(() => first.getByRole("link", { name: "#general" }).getAttribute("href")).toBe(
        `/servers/${server.id}/channels/${general.id}`,
      );
      const style = (selector: string, property: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
      // Her own name is underlined, not filled.
      await eventually(() => style(`[data-message-id="${asked.id}"] p button`, "boxShadow")).toContain(
        "inset",
      );
      // The hue of a webhook's face is nobody's.
      const chroma = async ({ id }: Message) =>
        (await style(`[data-message-id="${id}"] .tone`, "backgroundColor")).split(" ")[1];
      await rowOf(page, built).waitFor();
      expect(await chroma(built)).toBe("0");
      expect(await chroma(asked)).not.toBe("0");
      // A long line has a shade where it is cut, until its end is in sight; a short one has none.
      const isShaded = async (said: Message) => {
        const shot = sharp(await rowOf(page, said).locator("pre").screenshot()).removeAlpha();
        const { data, info } = await shot.raw().toBuffer({ resolveWithObject: true });
        // In the line above the text, near the start and near the end.
        const at = (x: number) => data.subarray((3 * info.width + x) * 3, (3 * info.width + x) * 3 + 3);
        return !at(6).equals(at(info.width - 6));
      };
      await eventually(() => isShaded(built)).toBe(true);
      await eventually(() => isShaded(answered)).toBe(false);
      await page.evaluate(`document.querySelector('[data-message-id="${built.id}"] pre').scrollLeft = 1e5`);
      await eventually(() => isShaded(built)).toBe(false);
      const name = first.getByRole("button", { name: "bob" });
      const ink = await page.evaluate("getComputedStyle(document.body).color");
      await untilSo(
        page,
        `getComputedStyle(document.querySelector('[data-message-id="${asked.id}"] header button span')).color !== "${ink}"`,
      );
      await name.click();
      await page.locator("[role=dialog]:focus-within").waitFor();
      await page.keyboard.press("Escape");

      const second = rowOf(page, answered);
      await eventually(() =>
        second.getByRole("link", { name: /Reply to bob: @alice how much salt/ }).getAttribute("href"),
      ).toBe(`/servers/${server.id}/channels/${general.id}/messages/${asked.id}`);
      // The highlighter is loaded with the first code.
      await second.locator("code span", { hasText: "const" }).waitFor();
      // Browsers have no clipboard API without HTTPS, but the page copies all the same.
      await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
      // The confirmation stays for two seconds.
      const copied = await watchFor(page, `[data-message-id="${answered.id}"] [aria-label="Copied"]`);
      await second.getByRole("button", { name: "Copy code" }).click();
      await copied();
      await second.getByRole("button", { name: "Show what is hidden" }).click();
      await second.getByText("not much").waitFor();
      await until(
        async () => (await focusedMessage(page)) === answered.id,
        "the focus was lost with the button",
      );
      await rowOf(page, orphan).getByText("The original was deleted").waitFor();
      expect(
        Number.parseFloat(await style(`[data-message-id="${orphan.id}"] p`, "fontSize")),
      ).toBeGreaterThan(24);

      const third = rowOf(page, files);
      const box = await third.getByRole("button", { name: "Open wide.png" }).boundingBox();
      expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([420, 150]);
      await eventually(() =>
        third.getByRole("link", { name: "Download list.txt" }).getAttribute("download"),
      ).toBe("list.txt");
      await third.getByRole("button", { name: "Open wide.png" }).click();
      const lightbox = page.getByRole("dialog");
      await lightbox.getByRole("img", { name: "wide.png" }).waitFor();
      await lightbox.getByRole("button", { name: "Zoom in" }).click();
      await page.keyboard.press("Escape");
      await lightbox.waitFor({ state: "detached" });
      await untilSo(page, `document.activeElement?.getAttribute("aria-label") === "Open wide.png"`);
      await expectNoBarriers(page);
      await watched.close();
    },
    journey,
  );

  test(
    "What is selected over many messages is copied whole, also what is out of sight: who, and what they said",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said: Message[] = [];
      for (let i = 0; i < 90; i++) said.push(await (i < 45 ? bob : alice).say(general.id, `line ${i} of it`));
      const permissions = ["clipboard-write"];
      const { watched, page } = await scene.open(alice, server, { permissions });
      const [first, last] = [said[20], said[89]];
      await rowOf(page, last ?? lost).waitFor();
      await page.evaluate(
        `{ const text = document.querySelector('[data-message-id="${last?.id}"] p').firstChild; getSelection().setBaseAndExtent(text, 4, text, 0); }`,
      );
      // One turn at a time: several would scroll past the row before it is looked for.
      while ((await rowOf(page, first ?? lost).count()) === 0) await wheel(page, -400);
      await eventually(() => rowOf(page, last ?? lost).count()).toBe(1);
      await page.evaluate(
        `getSelection().extend(document.querySelector('[data-message-id="${first?.id}"] p').firstChild, 0)`,
      );
      await eventually(() => page.getByRole("article").count()).toBeLessThan(60);
      // The part that copies across rows loads after the first message: until then the browser copies the drawn rows.
      const lines = async () => {
        await page.keyboard.press("Control+c");
        const text = await copiedText(page);
        return text
          .split("\n")
          .map((line) => line.trim())
          .filter((line) => line !== "");
      };
      await eventually(lines).toEqual([
        ...said.slice(20, 45).map(({ content }) => content),
        "alice",
        ...said.slice(45, 89).map(({ content }) => content),
        "line",
      ]);
      await watched.close();
    },
    journey,
  );

  test(
    "GIFs of other hosts stand still where nothing shall move, until they are asked; recordings are played from anywhere",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      host().at("/wave.gif", answering(await gifOfTwo(), { "Content-Type": "image/gif" }));
      host().at("/gone.gif", answering("", {}, 404));
      const wave = await bob.say(general.id, "https://push.example/wave.gif");
      const gone = await bob.say(general.id, "https://push.example/gone.gif");
      const song = await bob.say(general.id, "Listen!", {
        attachments: [(await upload(bob, "song.wav", silence(30))).url],
      });
      const { watched, page } = await scene.open(alice, server, { reducedMotion: "reduce" }, /status of 404/);
      const row = rowOf(page, wave);
      await row.getByRole("img", { name: "wave.gif" }).and(row.locator("canvas")).waitFor();
      // Content that loads below moves it.
      await rowOf(page, gone).getByText("gone.gif cannot be shown.").waitFor();
      await untilSo(page, `document.querySelector("audio")?.duration > 29`);
      await untilStill(page);
      const still = await row.getByRole("button", { name: "Open wave.gif" }).boundingBox();
      expect([still?.width, still?.height]).toEqual([320, 180]);
      await row.getByRole("button", { name: "Play wave.gif" }).click();
      await row.locator("img").waitFor();
      await eventually(() => row.getByRole("button", { name: "Open wave.gif" }).boundingBox()).toEqual(still);

      const player = rowOf(page, song).locator("audio");
      await player.waitFor();
      await page.evaluate(`document.querySelector("audio").currentTime = 25`);
      await untilSo(
        page,
        `(({ seeking, currentTime, readyState }) => !seeking && currentTime >= 25 && readyState >= 2)(document.querySelector("audio"))`,
      );
      await watched.close();
    },
    journey,
  );
});

/** Stands for a message that is never found. */
const lost = { id: "nothing" };

/** A GIF of two frames. */
async function gifOfTwo(): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  return sharp([await frame("teal"), await frame("red")], { join: { animated: true } })
    .gif({ delay: [100, 100] })
    .toBuffer();
}

/** A WAV file of this many seconds, at 8,000 samples a second of one byte. */
function silence(seconds: number): Uint8Array {
  const samples = 8000 * seconds;
  const wave = Buffer.alloc(44 + samples, 128);
  wave.write("RIFF", 0, "latin1");
  wave.writeUInt32LE(36 + samples, 4);
  wave.write("WAVEfmt ", 8, "latin1");
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(8000, 24);
  wave.writeUInt32LE(8000, 28);
  wave.writeUInt16LE(1, 32);
  wave.writeUInt16LE(8, 34);
  wave.write("data", 36, "latin1");
  wave.writeUInt32LE(samples, 40);
  return wave;
}
