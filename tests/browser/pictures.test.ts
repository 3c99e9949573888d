// Several pictures of one message: their grid, and the viewer that shows their originals.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { pictureOf } from "../house/material/images.ts";
import { webmRecording } from "../house/material/recordings.ts";
import type { TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";
import { expectNoBarriers } from "./axe.ts";
import { copiedText } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { later } from "./held.ts";
import { inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

/** Large enough for the server to make a preview of it. */
const size = { width: 2400, height: 1200 };

/** Notes whether a player appears. */
const noting = `{
  globalThis.hasTried = false;
  new MutationObserver(() => {
    if (document.querySelector("audio")) hasTried = true;
  }).observe(document.body, { childList: true, subtree: true });
}`;

inChromium("pictures of messages", (scene) => {
  async function uploaded(person: TestPerson, names: readonly string[]): Promise<string[]> {
    const urls: string[] = [];
    for (const name of names) urls.push((await upload(person, name, await pictureOf("png", size))).url);
    return urls;
  }

  /** The places of a message's pictures, in pixels from the first. */
  async function places(page: Page, message: { id: string }): Promise<number[][]> {
    const boxes = await rowOf(page, message)
      .getByRole("button", { name: /^Open .*\.png$/ })
      .evaluateAll((all) =>
        all
          .map((each) => each.getBoundingClientRect())
          .map(({ x, y, width, height }) => [x, y, width, height]),
      );
    const [[left = 0, top = 0] = []] = boxes;
    return boxes.map(([x = 0, y = 0, width = 0, height = 0]) =>
      [x - left, y - top, width, height].map(Math.round),
    );
  }

  /** The different heights of the controls in the viewer's head, in pixels. */
  async function headHeights(page: Page): Promise<number[]> {
    const controls = page.getByRole("dialog", { name: "Pictures" }).locator(".yarl__toolbar button");
    const heights = await controls.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect().height).filter((height) => height > 0),
    );
    expect(heights.length).toBeGreaterThan(3);
    return [...new Set(heights)];
  }

  test(
    "several stand in a grid of 420 by 280, in the order of sending, on a phone in the same shares; one stands alone",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const urls = await uploaded(
        bob,
        [...Array(10).keys()].map((each) => `${each}.png`),
      );
      const note = await upload(bob, "note.txt", "Which one?");
      const say = (count: number) => bob.say(general.id, "", { attachments: urls.slice(0, count) });
      const { watched, page } = await scene.open(alice, server);
      const expectGrid = async (count: number, shares: number[][]) => {
        const message = await say(count);
        await rowOf(page, message).waitFor();
        await eventually(() => places(page, message)).toEqual(shares);
      };
      await expectGrid(1, [[0, 0, 420, 210]]);
      await expectGrid(2, [
        [0, 0, 208, 208],
        [212, 0, 208, 208],
      ]);
      await expectGrid(3, [
        [0, 0, 279, 280],
        [283, 0, 137, 138],
        [283, 142, 137, 138],
      ]);
      await expectGrid(5, [
        [0, 0, 208, 138],
        [212, 0, 208, 138],
        [0, 142, 137, 138],
        [141, 142, 137, 138],
        [283, 142, 137, 138],
      ]);
      const ten = await say(10);
      await rowOf(page, ten).waitFor();
      await eventually(async () => (await places(page, ten)).map(([, top]) => top)).toEqual([
        ...[0, 0, 0, 95, 95, 95],
        ...[189, 189, 189, 189],
      ]);

      // Other files stand below.
      const mixed = await bob.say(general.id, "", { attachments: [urls[0], note.url, urls[1]] });
      const row = rowOf(page, mixed);
      await eventually(() => places(page, mixed)).toEqual([
        [0, 0, 208, 208],
        [212, 0, 208, 208],
      ]);
      const card = await row.getByRole("link", { name: "Download note.txt" }).boundingBox();
      const last = await row.getByRole("button", { name: "Open 1.png" }).boundingBox();
      expect(card?.y).toBeGreaterThan((last?.y ?? 0) + (last?.height ?? 0));

      await page.setViewportSize({ width: 360, height: 780 });
      await eventually(async () => {
        const [[, , width = 0, height = 0] = [], [left = 0] = []] = await places(page, mixed);
        return Math.abs(width - height) <= 1 && Math.abs(left - width - 4) <= 1 && width < 180;
      }).toBe(true);
      await watched.close();
    },
    journey,
  );

  test(
    "the viewer says what a picture is and who sent it, shows the original, and goes through the others by pointer and keys",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const names = ["dawn.png", "noon.png", "dusk.png"];
      const attachments = await uploaded(bob, names);
      const said = await bob.say(general.id, "Today", { attachments });
      const { watched, page } = await scene.open(alice, server, { permissions: ["clipboard-write"] });
      const opener = rowOf(page, said).getByRole("button", { name: "Open noon.png" });
      await opener.click();
      const viewer = page.getByRole("dialog", { name: "Pictures" });
      const expectAt = async (name: string, place: string) => {
        await viewer.getByText(name, { exact: true }).waitFor();
        await viewer.getByText(new RegExp(`^bob, today, .* · ${place} of 3 · 2400 × 1200, .*B$`)).waitFor();
      };
      await expectAt("noon.png", "2");
      const picture = viewer.getByRole("img", { name: "noon.png" });
      await eventually(() => picture.getAttribute("src")).toBe(attachments[1] ?? "");
      await expectNoBarriers(page, [1280]);
      await eventually(() => headHeights(page)).toEqual([32]);
      // The arrows lie beside the picture, in the margins.
      const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const [left, right] = [
        await viewer.getByRole("button", { name: "Previous picture" }).boundingBox(),
        await viewer.getByRole("button", { name: "Next picture" }).boundingBox(),
      ];
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(box.x);
      expect(right?.x).toBeGreaterThanOrEqual(box.x + box.width);

      await viewer.getByRole("button", { name: "Next picture" }).click();
      await expectAt("dusk.png", "3");
      await page.keyboard.press("Home");
      await expectAt("dawn.png", "1");
      await page.keyboard.press("End");
      await expectAt("dusk.png", "3");
      await viewer.getByRole("button", { name: "Show noon.png" }).click();
      await expectAt("noon.png", "2");

      await viewer.getByRole("button", { name: "Copy link" }).click();
      await eventually(() => copiedText(page)).toBe(
        `${scene.pageUrl}/servers/${server.id}/channels/${general.id}/messages/${said.id}`,
      );
      const saved = page.waitForEvent("download");
      await page.keyboard.press("d");
      expect((await saved).suggestedFilename()).toBe("noon.png");
      const tab = page.waitForEvent("popup");
      await viewer.getByRole("button", { name: "Open original" }).click();
      const original = await tab;
      await untilSo(original, `document.images[0]?.naturalWidth === ${size.width}`);
      await original.close();

      await page.keyboard.press("Escape");
      await viewer.waitFor({ state: "detached" });
      await untilSo(page, `document.activeElement?.getAttribute("aria-label") === "Open noon.png"`);

      // The empty ground on all sides of the picture closes it, also above, below, and beside the thumbs.
      const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
      const thumb = viewer.getByRole("button", { name: "Show noon.png" });
      for (const [x, y] of [
        [40, 200],
        [width - 40, 200],
        [width / 2, 66],
        [width / 2, height - 80],
        [100, height - 40],
      ] as const) {
        await opener.click();
        await thumb.waitFor();
        await eventually(() => picture.getAttribute("src")).toBe(attachments[1] ?? "");
        await page.mouse.click(x, y);
        await viewer.waitFor({ state: "detached", timeout: 10_000 });
      }
      await watched.close();
    },
    journey,
  );

  for (const [where, options] of [
    ["on a phone", phone],
    ["on a tablet", { ...phone, viewport: { width: 1024, height: 768 } }],
    ["in a narrow window", { viewport: { width: 600, height: 700 } }],
  ] as const)
    test(
      `the controls in the viewer's head have one height ${where}`,
      async () => {
        const { alice, bob, server, general } = await scene.twoPeople();
        const said = await bob.say(general.id, "", {
          attachments: await uploaded(bob, ["dawn.png", "dusk.png"]),
        });
        const { watched, page } = await scene.open(alice, server, options);
        await rowOf(page, said).getByRole("button", { name: "Open dawn.png" }).click();
        await page.getByRole("dialog", { name: "Pictures" }).getByText("dawn.png", { exact: true }).waitFor();
        await eventually(() => headHeights(page)).toEqual([44]);
        await watched.close();
      },
      journey,
    );

  test(
    "one that failed while the server was away is there when it is reached again",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const [url = ""] = await uploaded(bob, ["soup.png"]);
      await bob.say(general.id, "", { attachments: [url] });
      const watched = await scene.watched(withoutWorker);
      watched.allow(/ERR_FAILED/);
      let cut = () => {};
      await watched.context.routeWebSocket("**/ws", (near) => {
        near.connectToServer();
        cut = () => void near.close({ code: 4000 });
      });
      let isAway = true;
      await watched.context.route("**/files/**", (route) => (isAway ? route.abort() : route.continue()));
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await page.getByText("soup.png cannot be shown").waitFor();
      isAway = false;
      cut();
      await page.getByRole("button", { name: "Open soup.png" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a recording that no browser can play stays a card when the server is reached again",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const { url } = await upload(bob, "song.webm", webmRecording("sound"));
      const song = await bob.say(general.id, "", { attachments: [url] });
      const watched = await scene.watched(withoutWorker);
      let cut = async () => {};
      await watched.context.routeWebSocket("**/ws", (near) => {
        near.connectToServer();
        cut = () => near.close({ code: 4000 });
      });
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
      await rowOf(page, song).getByText("song.webm").waitFor();
      await eventually(() => page.locator("audio").count()).toBe(0);
      await page.evaluate(noting);
      await cut();
      await rowOf(page, await bob.say(general.id, "Did it play?")).waitFor();
      await page.evaluate(later);
      expect(await page.evaluate("hasTried")).toBe(false);
      await watched.close();
    },
    journey,
  );
});
