// Faces: the monogram is there at once, a picture covers it once it is loaded, and one that failed is asked for once.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { freePort } from "../house/machine/port.ts";
import { pictureOf } from "../house/material/images.ts";
import { putPicture } from "../house/scenes/avatars.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, rowOf } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

interface Drawn {
  naturalWidth: number;
  computedStyleMap(): { get(name: string): unknown };
}

const opacityOf = (picture: Locator) =>
  picture.evaluate((element) => String((element as unknown as Drawn).computedStyleMap().get("opacity")));

/** True if the face shows its picture, whole and opaque. */
const isCovered = (face: Locator) =>
  face.locator("img").evaluateAll((pictures) => {
    const [picture] = pictures as unknown as Drawn[];
    return (
      picture !== undefined &&
      picture.naturalWidth > 0 &&
      String(picture.computedStyleMap().get("opacity")) === "1"
    );
  });

const faceOf = (page: Page, said: { id: string }) => rowOf(page, said).locator(".tone").first();

inChromium(
  "faces",
  (scene) => {
    test(
      "have a monogram from the first frame; pictures come over it, and one that failed is not asked for again",
      async () => {
        const { alice, bob, server, general } = await scene.twoPeople();
        const carol = await scene.person("carol");
        await alice.bringIn(server.id, carol);
        const other = await alice.post<{ id: string }>("/channels", { server_id: server.id, name: "tea" });
        const picture = await pictureOf("png", { width: 64, height: 64 });
        const own = await putPicture<{ avatar: string }>(carol, "/auth/me/avatar", picture);
        await bob.say(general.id, "I have two faces here.");
        const [hers, his, third] = [
          await alice.say(general.id, "I have a picture elsewhere."),
          await bob.say(general.id, "Mine is gone."),
          await carol.say(general.id, "Mine is here."),
        ];
        const hook = await alice.post<{ id: string; token: string }>(`/channels/${general.id}/webhooks`, {
          name: "Deploys",
        });
        const elsewhere = `https://other.example/avatars/${"a1".repeat(16)}.webp`;
        const posted = await alice.post<Message>(`/webhooks/${hook.body.id}/${hook.body.token}?wait=true`, {
          content: "My picture is at another Hearth.",
          avatar_url: elsewhere,
        });
        const address = async (who: typeof alice) =>
          (await who.get<{ avatar: string }>("/auth/me")).body.avatar;
        const [good, bad] = [await address(alice), await address(bob)];
        const asked: string[] = [];
        const badAsked = () => asked.filter((url) => url === bad).length;
        let answer = () => {};
        const isLetThrough = new Promise<void>((resolve) => {
          answer = resolve;
        });
        const watched = await scene.watched(withoutWorker);
        watched.allow(/status of 404|WebSocket|ERR_CONNECTION/);
        await watched.context.route("**/api/v1/pictures?**", async (route) => {
          const url = new URL(route.request().url()).searchParams.get("url") ?? "";
          asked.push(url);
          if (url !== good && url !== elsewhere)
            return route.fulfill({ status: 404, json: { code: "not_found", error: "Gone." } });
          if (url === good) await isLetThrough;
          return route.fulfill({ contentType: "image/png", body: picture });
        });
        const requested: string[] = [];
        watched.context.on("request", (request) => requested.push(new URL(request.url()).pathname));
        const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
        await faceOf(page, hers).waitFor();
        expect(await faceOf(page, hers).innerText()).toBe("A");
        expect(await isCovered(faceOf(page, hers))).toBe(false);
        await eventually(() => isCovered(faceOf(page, third))).toBe(true);
        expect(asked.filter((url) => url === good)).toHaveLength(1);
        await eventually(() => isCovered(faceOf(page, posted.body))).toBe(true);
        answer();
        await eventually(() => isCovered(faceOf(page, hers))).toBe(true);
        await eventually(async () => badAsked()).toBe(3);
        await eventually(() => faceOf(page, his).locator("img").count()).toBe(0);
        expect(await faceOf(page, his).innerText()).toBe("B");

        // The page reaches an own picture by its path, whatever the address before it.
        const { pathname } = new URL(own.body.avatar);
        expect(requested.filter((path) => path.startsWith(pathname.replace(".webp", "")))).not.toEqual([]);
        expect(asked).not.toContain(own.body.avatar);

        // Three times, because it may have been refused for another reason; not three times for each of his faces.
        expect(badAsked()).toBe(3);
        await page.getByRole("link", { name: "tea" }).click();
        await page.getByRole("main", { name: "tea" }).waitFor();
        await alice.say(other.body.id, "Here, too.");
        const again = await bob.say(other.body.id, "And I.");
        await faceOf(page, again).waitFor();
        await page.getByRole("link", { name: "general" }).click();
        await faceOf(page, his).waitFor();
        await eventually(() => isCovered(faceOf(page, hers))).toBe(true);
        expect(badAsked()).toBe(3);

        await page.reload();
        await faceOf(page, his).waitFor();
        await eventually(() => isCovered(faceOf(page, hers))).toBe(true);
        expect(badAsked()).toBe(3);

        // They may have failed because this server was away.
        await scene.house.restart();
        await eventually(async () => badAsked()).toBe(6);
        await watched.close();
      },
      journey,
    );

    test(
      "of a larger size are monograms until that file is there, and one that is refused for a moment comes after all",
      async () => {
        const { alice, server, general } = await scene.twoPeople();
        const picture = await pictureOf("png", { width: 64, height: 64 });
        await putPicture(alice, "/auth/me/avatar", picture);
        const said = await alice.say(general.id, "I have a picture.");
        const larger = Promise.withResolvers<void>();
        const refused: string[] = [];
        const watched = await scene.watched(withoutWorker);
        watched.allow(/status of (404|503)/);
        await watched.context.route("**/avatars/*", async (route) => {
          const { pathname } = new URL(route.request().url());
          if (!pathname.endsWith("-64.webp")) await larger.promise;
          else if (refused.push(pathname) === 1) return route.fulfill({ status: 503 });
          return route.continue();
        });
        const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
        await eventually(() => isCovered(faceOf(page, said))).toBe(true);

        await rowOf(page, said).getByRole("button", { name: "alice" }).click();
        const large = page.getByRole("dialog", { name: /alice/ }).locator(".tone").first();
        await large.locator("img").waitFor({ state: "attached" });
        expect(await opacityOf(large.locator("img"))).toBe("0");
        larger.resolve();
        await eventually(() => isCovered(large)).toBe(true);
        await watched.close();
      },
      journey,
    );
  },
  async () => ({ AVATAR_URL: "https://faces.example/", PORT: String(await freePort()) }),
);
