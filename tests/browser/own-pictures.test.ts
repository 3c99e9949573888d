// Own pictures in the page: of oneself, of a server and of a bot, chosen, cut by pointer and keys, and taken away.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { hugePng, pictureOf } from "../house/material/images.ts";
import { TestBot } from "../house/people/bots.ts";
import { fetchPicture } from "../house/scenes/avatars.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

const file = (buffer: Buffer, name = "me.png") => ({ name, mimeType: "image/png", buffer });

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Change picture", exact: true });
const squareOf = (page: Page) => dialogOf(page).getByRole("button", { name: "Square", exact: true });

/** The square in pixels of the picture, whose width is given. */
async function cutOf(page: Page, width: number) {
  const [square, picture] = await Promise.all([
    squareOf(page).boundingBox(),
    squareOf(page).locator("xpath=..").boundingBox(),
  ]);
  if (!square || !picture) throw new Error("there is no square");
  const scale = width / picture.width;
  return {
    x: Math.round((square.x - picture.x) * scale),
    y: Math.round((square.y - picture.y) * scale),
    size: Math.round(square.width * scale),
  };
}

async function drag(page: Page, what: Locator, dx: number, dy: number): Promise<void> {
  const box = await what.boundingBox();
  if (!box) throw new Error("it cannot be dragged");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + dx / 2, y + dy / 2);
  await page.mouse.move(x + dx, y + dy);
  await page.mouse.up();
}

inChromium("own pictures", (scene) => {
  /** True if the middle of the picture at this address is red. */
  async function isRed(address: unknown): Promise<boolean> {
    const bytes = await (await fetchPicture(scene.house, address)).bytes();
    const { data } = await sharp(bytes).resize(1, 1).raw().toBuffer({ resolveWithObject: true });
    return (data[0] ?? 0) > (data[1] ?? 0);
  }

  test(
    "Alice chooses a picture, cuts its corner by keys and pointer, and has it at once; she takes it away",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/profile", alice);
      const avatar = async () => (await alice.get<{ avatar: string | null }>("/auth/me")).body.avatar;
      await page.getByRole("button", { name: "Change picture" }).click();
      const dialog = dialogOf(page);
      await dialog.getByText("Drop a picture here").waitFor();
      const input = dialog.locator("input[type=file]");
      await input.setInputFiles(file(await pictureOf("png", { width: 63, height: 90 })));
      await dialog.getByText("me.png has 63 × 90 pixels, and needs at least 64 a side.").waitFor();
      await input.setInputFiles(file(Buffer.from("no picture"), "note.png"));
      await dialog.getByText("note.png cannot be read as a picture.").waitFor();
      await input.setInputFiles(file(await pictureOf("png", { width: 600, height: 300 })));
      await squareOf(page).waitFor();
      await eventually(() => cutOf(page, 600)).toEqual({ x: 150, y: 0, size: 300 });
      await expectNoBarriers(page, [360, 1280]);

      await squareOf(page).focus();
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await eventually(() => cutOf(page, 600)).toEqual({ x: 84, y: 0, size: 300 });
      // That is the browser's, for its zoom.
      await page.keyboard.press("Control+-");
      for (let i = 0; i < 10; i++) await page.keyboard.press("-");
      await eventually(async () => (await cutOf(page, 600)).size).toBe(270);
      await dialog.getByRole("slider", { name: "Size" }).fill("50");
      await eventually(async () => (await cutOf(page, 600)).size).toBe(150);
      // Beyond the edge it stays in the corner.
      await drag(page, squareOf(page), -400, -400);
      await eventually(() => cutOf(page, 600)).toEqual({ x: 0, y: 0, size: 150 });
      await drag(page, squareOf(page).locator("[data-corner='3']"), -30, -30);
      await eventually(async () => (await cutOf(page, 600)).size).toBeLessThan(100);
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
      const address = await avatar();
      expect(address).toContain("/avatars/");
      expect(await isRed(address)).toBe(true);
      const path = new URL(String(address)).pathname.replace(".webp", "");
      await page.getByRole("main").locator(`img[src^="${path}"]`).first().waitFor();

      await page.getByRole("button", { name: "Remove picture" }).click();
      await page.getByRole("button", { name: "Remove picture" }).waitFor({ state: "hidden" });
      expect(await avatar()).toBeNull();
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Change picture");
      await watched.close();
    },
    journey,
  );

  test(
    "a second finger on the square changes nothing, and the first one goes on",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched({ ...withoutWorker, hasTouch: true });
      const page = await watched.page("/settings/profile", alice);
      await page.getByRole("button", { name: "Change picture" }).click();
      const input = dialogOf(page).locator("input[type=file]");
      await input.setInputFiles(file(await pictureOf("png", { width: 600, height: 300 })));
      await squareOf(page).waitFor();
      await dialogOf(page).getByRole("slider", { name: "Size" }).fill("50");
      await eventually(() => cutOf(page, 600)).toEqual({ x: 225, y: 75, size: 150 });
      const box = await squareOf(page).boundingBox();
      if (!box) throw new Error("there is no square");
      const scale = 150 / box.width;
      const session = await page.context().newCDPSession(page);
      const touch = (type: string, ...xs: number[]) =>
        session.send("Input.dispatchTouchEvent", {
          type: type as "touchStart",
          touchPoints: xs.map((x, id) => ({ id, x: box.x + x, y: box.y + box.height / 2 })),
        });
      const [near, far] = [box.width * 0.25, box.width * 0.75];
      await touch("touchStart", near);
      await touch("touchStart", near, far);
      await touch("touchMove", near + 12, far);
      await eventually(async () => (await cutOf(page, 600)).x).toBe(Math.round(225 + 12 * scale));
      await touch("touchMove", near + 12, far + 20);
      await touch("touchMove", near + 24, far + 20);
      await eventually(async () => (await cutOf(page, 600)).x).toBe(Math.round(225 + 24 * scale));
      await touch("touchEnd");
      await watched.close();
    },
    journey,
  );

  test(
    "a picture is dropped and pasted, too; what the server refuses is said, and the dialog stays",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of (413|429)/);
      const page = await watched.page("/settings/profile", alice);
      await page.getByRole("button", { name: "Change picture" }).click();
      const bytes = JSON.stringify([...(await pictureOf("png", { width: 100, height: 80 }))]);
      const data = `(() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(${bytes})], "cup.png", { type: "image/png" })); return data; })()`;
      await dialogOf(page)
        .locator("form")
        .dispatchEvent("drop", { dataTransfer: await page.evaluateHandle(data) });
      await eventually(() => cutOf(page, 100)).toEqual({ x: 10, y: 0, size: 80 });
      const other = JSON.stringify([...(await pictureOf("png", { width: 200, height: 100 }))]);
      await page.evaluate(
        `(() => { const clipboardData = new DataTransfer(); clipboardData.items.add(new File([new Uint8Array(${other})], "b.png", { type: "image/png" })); document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true })); })()`,
      );
      await eventually(() => cutOf(page, 200)).toEqual({ x: 50, y: 0, size: 100 });
      // A proxy before the server refuses in words of its own.
      const proxys = { status: 413, contentType: "text/html", body: "<h1>413 Request Entity Too Large</h1>" };
      await page.route("**/auth/me/avatar", (route) => route.fulfill(proxys), { times: 1 });
      await dialogOf(page).getByRole("button", { name: "Save", exact: true }).click();
      await dialogOf(page).getByText("The server failed. Nothing is lost; try again.").waitFor();
      const json = { error: "Too many calls.", code: "rate_limited", retry_after: 60 };
      await page.route("**/auth/me/avatar", (route) => route.fulfill({ status: 429, json }), { times: 1 });
      await dialogOf(page).getByRole("button", { name: "Save", exact: true }).click();
      // The seconds run down for the eyes only: a screen reader hears the sentence once.
      const said = dialogOf(page).getByRole("status").filter({ hasText: "Too many attempts." });
      await said.getByText(/Wait 5\d s/).waitFor();
      const heard = await said.ariaSnapshot();
      expect(heard).toContain("Wait 60 s");
      expect(heard).not.toContain("Wait 5");
      await dialogOf(page).getByRole("button", { name: "Save", exact: true }).click();
      await dialogOf(page).waitFor({ state: "hidden" });
      await watched.close();
    },
    journey,
  );

  test(
    "a file is taken wherever it is dropped while the dialog is open, and the page stays",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/profile", alice);
      await page.getByRole("button", { name: "Change picture" }).click();
      await dialogOf(page).getByText("Drop a picture here").waitFor();
      /** Drops a file there, and returns whether the browser is kept from opening it. */
      const isKeptAt = (selector: string, name: string, type: string, bytes: Buffer) =>
        page.evaluate<boolean>(
          `(() => { const dataTransfer = new DataTransfer(); dataTransfer.items.add(new File([new Uint8Array([${[...bytes]}])], "${name}", { type: "${type}" })); const wide = { dataTransfer, bubbles: true, cancelable: true }; return ["dragover", "drop"].every((name) => !document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new DragEvent(name, wide))); })()`,
        );
      for (const [selector, width] of [
        ["[role=dialog] h2", 100],
        ["[role=dialog]", 120],
        ["body", 140],
      ] as const) {
        const bytes = await pictureOf("png", { width, height: 80 });
        expect(await isKeptAt(selector, "cup.png", "image/png", bytes)).toBe(true);
        await squareOf(page).waitFor();
        await eventually(() => cutOf(page, width)).toEqual({ x: (width - 80) / 2, y: 0, size: 80 });
      }
      expect(await isKeptAt("body", "tea.txt", "text/plain", Buffer.from("Tea"))).toBe(true);
      await dialogOf(page).getByText("tea.txt cannot be read as a picture.").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a file that the server would refuse is refused when it is chosen, and an earlier picture stays",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/profile", alice);
      await page.getByRole("button", { name: "Change picture" }).click();
      const dialog = dialogOf(page);
      const input = dialog.locator("input[type=file]");
      const [good, jpeg] = [
        await pictureOf("png", { width: 600, height: 300 }),
        await pictureOf("jpeg", { width: 600, height: 300 }),
      ];
      const markup = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
      const refused = [
        { name: "logo.svg", mimeType: "image/svg+xml", buffer: markup },
        { name: "named.png", mimeType: "image/png", buffer: markup },
        { name: "half.png", mimeType: "image/png", buffer: good.subarray(0, good.length * 0.8) },
        { name: "half.jpg", mimeType: "image/jpeg", buffer: jpeg.subarray(0, jpeg.length * 0.8) },
      ];
      const expectRefused = async () => {
        for (const each of refused) {
          await input.setInputFiles(each);
          await dialog.getByText(`${each.name} cannot be read as a picture.`).waitFor();
        }
      };
      const save = dialog.getByRole("button", { name: "Save", exact: true });
      await expectRefused();
      await input.setInputFiles(file(hugePng(20_000, 5_001), "wall.png"));
      await dialog.getByText("wall.png has more than 100 million pixels. Choose a smaller one.").waitFor();
      expect(await squareOf(page).count()).toBe(0);
      expect(await save.getAttribute("aria-disabled")).toBe("true");

      await input.setInputFiles(file(good));
      await squareOf(page).press("Shift+ArrowLeft");
      await eventually(() => cutOf(page, 600)).toEqual({ x: 90, y: 0, size: 300 });
      expect(await dialog.getByText("cannot be read").count()).toBe(0);
      await expectRefused();
      expect(await cutOf(page, 600)).toEqual({ x: 90, y: 0, size: 300 });
      await save.click();
      await dialog.waitFor({ state: "hidden" });
      expect((await alice.get<{ avatar: string | null }>("/auth/me")).body.avatar).toContain("/avatars/");
      await watched.close();
    },
    journey,
  );

  test(
    "on a phone the dialog speaks of touch alone, and what is touched is large enough and whole",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched({ ...withoutWorker, ...phone });
      const page = await watched.page("/settings/profile", alice);
      await page.getByRole("button", { name: "Change picture" }).tap();
      const dialog = dialogOf(page);
      const heightOf = async (what: Locator) => (await what.boundingBox())?.height ?? 0;
      const choose = dialog.getByRole("button", { name: "Choose a file" });
      await dialog.getByText("A picture of up to 8 MB.").waitFor();
      expect(await heightOf(choose)).toBeGreaterThanOrEqual(44);
      await dialog
        .locator("input[type=file]")
        .setInputFiles(file(await pictureOf("png", { width: 400, height: 300 })));
      await squareOf(page).waitFor();
      expect(await heightOf(choose)).toBeGreaterThanOrEqual(44);
      expect(await dialog.innerText()).not.toMatch(/drop|paste|keys/i);
      await dialog.getByRole("slider", { name: "Size" }).fill("100");
      // The square touches the upper and the lower edge; 22 pixels around the middle of a handle take a finger.
      const corners = await page.evaluate<boolean[]>(
        `[...document.querySelectorAll("[data-corner]")].flatMap((corner) => {
          const { x, y, width, height } = corner.getBoundingClientRect();
          return [-21, 21].map((by) => document.elementFromPoint(x + width / 2, y + height / 2 + by) === corner);
        })`,
      );
      expect(corners).toEqual(Array(8).fill(true));
      await expectNoBarriers(page);

      // By its middle even the smallest square moves: there is no room there for the reach of its corners.
      await dialog
        .locator("input[type=file]")
        .setInputFiles(file(await pictureOf("png", { width: 1600, height: 100 }), "wide.png"));
      await eventually(() => cutOf(page, 1600)).toEqual({ x: 750, y: 0, size: 100 });
      await drag(page, squareOf(page), 60, 0);
      await eventually(async () => (await cutOf(page, 1600)).x > 900).toBe(true);
      expect((await cutOf(page, 1600)).size).toBe(100);
      await watched.close();
    },
    journey,
  );

  test(
    "the owner puts up the server's, from its first steps, and a bot's; no address is asked for",
    async () => {
      const alice = await scene.person("alice");
      const server = await alice.makeServer("The kitchen");
      const bot = await TestBot.make(alice);
      const picture = await pictureOf("png", { width: 64, height: 64 });
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const icon = async () => (await alice.get<{ icon: string | null }>(`/servers/${server.id}`)).body.icon;
      const save = async () => {
        await dialogOf(page).locator("input[type=file]").setInputFiles(file(picture));
        await squareOf(page).waitFor();
        await dialogOf(page).getByRole("button", { name: "Save", exact: true }).click();
        await dialogOf(page).waitFor({ state: "hidden" });
      };
      await page.getByRole("button", { name: "Give it a picture" }).click();
      await page.getByRole("button", { name: "Change picture" }).click();
      await dialogOf(page).locator("input[type=file]").setInputFiles(file(picture));
      await dialogOf(page).getByText("on an invite").waitFor();
      await dialogOf(page).getByText("beside its name").waitFor();
      expect(await dialogOf(page).innerText()).not.toContain("messages");
      await save();
      await page.getByRole("button", { name: "Remove picture" }).waitFor();
      expect(await icon()).toContain("/avatars/");
      expect(await page.getByRole("main").getByRole("textbox").count()).toBe(1);
      await page.getByRole("button", { name: "Remove picture" }).click();
      await page.getByRole("button", { name: "Remove picture" }).waitFor({ state: "hidden" });
      expect(await icon()).toBeNull();

      // One that programs have set by its address is shown, replaced and removed like any other.
      const address = "https://pictures.example/kitchen.png";
      await page.route("**/api/v1/pictures?**", (route) =>
        route.fulfill({ contentType: "image/png", body: picture }),
      );
      const setAddress = () => alice.patch(`/servers/${server.id}`, { icon: address });
      const shown = page.getByRole("main").locator(`img[src*="${encodeURIComponent(address)}"]`);
      await setAddress();
      await shown.first().waitFor();
      await page.getByRole("button", { name: "Change picture" }).click();
      await save();
      await shown.first().waitFor({ state: "detached" });
      expect(await icon()).toContain("/avatars/");
      await setAddress();
      await shown.first().waitFor();
      await page.getByRole("button", { name: "Remove picture" }).click();
      await shown.first().waitFor({ state: "detached" });
      expect(await icon()).toBeNull();

      await page.goto(`/servers/${server.id}/settings/bots`);
      await page.getByRole("button", { name: "Change picture of Beeper" }).click();
      await save();
      await page.getByRole("button", { name: "Remove picture of Beeper" }).waitFor();
      const { avatar } = (await alice.get<{ avatar: string | null }>(`/bots/${bot.id}`)).body;
      expect(avatar).toContain("/avatars/");
      await watched.close();
    },
    journey,
  );
});
