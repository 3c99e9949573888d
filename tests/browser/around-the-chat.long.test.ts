// Around the chat: settings that know of the call, dialogs that keep their input, reordered channels, titles.
import { afterAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { until } from "../house/machine/waiting.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const voice = new LiveKitDouble();

inChromium(
  "around the chat",
  (scene) => {
    afterAll(() => voice.stop());

    test(
      "Escape out of a dialog keeps the reason of a ban, a name to be typed, and an invite that was pasted",
      async () => {
        const [olga, ben] = [await scene.person("olga"), await scene.person("ben")];
        const server = await olga.makeServer("Ubuntu");
        await olga.bringIn(server.id, ben);
        const watched = await scene.watched();
        const page = await watched.page(`/servers/${server.id}/settings/members`, olga);
        const dialog = page.getByRole("dialog");
        const putAway = async () => {
          await page.keyboard.press("Escape");
          await dialog.waitFor({ state: "detached" });
        };
        const openBan = async () => {
          await page.getByRole("button", { name: "More for ben" }).click();
          await page.getByRole("menuitem", { name: "Ban" }).click();
        };
        const reason = dialog.getByRole("textbox", { name: "Reason" });
        await openBan();
        await reason.fill("Four warnings, and the fifth was ignored");
        await putAway();
        await openBan();
        await reason.waitFor();
        await eventually(() => reason.inputValue()).toBe("Four warnings, and the fifth was ignored");
        await putAway();

        await until(
          async () => (await page.title()) === "Members · Ubuntu",
          "the window is called otherwise",
        );
        const search = page.getByRole("searchbox", { name: "Find a member" });
        await search.fill("nobody at all");
        await search.press("Escape");
        await until(async () => (await search.inputValue()) === "", "Escape did not empty the field");

        await page.getByRole("link", { name: "Overview" }).click();
        const openDelete = () => page.getByRole("button", { name: "Delete server" }).click();
        const name = dialog.getByRole("textbox", { name: "Type “Ubuntu” to go on" });
        await openDelete();
        await name.fill("Ubun");
        await putAway();
        await openDelete();
        await name.waitFor();
        await eventually(() => name.inputValue()).toBe("Ubun");
        await putAway();

        await page.getByRole("link", { name: "Back to Ubuntu" }).click();
        const openAdd = () => page.getByRole("button", { name: "Add a server" }).click();
        const invite = dialog.getByRole("textbox", { name: "Invite link or code" });
        const made = dialog.getByRole("textbox", { name: "Server name" });
        await openAdd();
        await made.fill("The harbour");
        await invite.fill("https://elsewhere.example/invite/abc");
        await putAway();
        await openAdd();
        await invite.waitFor();
        await eventually(() => invite.inputValue()).toBe("https://elsewhere.example/invite/abc");
        await dialog.getByRole("button", { name: "Create server" }).click();
        await page.getByRole("heading", { name: "The harbour" }).waitFor();
        await openAdd();
        await made.waitFor();
        await eventually(() => made.inputValue()).toBe("");
        await watched.close();
      },
      journey,
    );

    test(
      "channels get another order by the keys that their menu names, and by hand to the very end",
      async () => {
        const olga = await scene.person("olga");
        const server = await olga.makeServer("The village");
        for (const [i, name] of ["garden", "cellar", "attic"].entries())
          await olga.post<Channel>("/channels", {
            server_id: server.id,
            name,
            category: "Outside",
            position: 10 * (i + 1),
          });
        const watched = await scene.watched();
        const page = await watched.page(`/servers/${server.id}`, olga);
        const channels = page.getByRole("navigation", { name: "Channels" });
        const order = async () => (await channels.getByRole("link").allTextContents()).join();
        const becomes = (wanted: string) =>
          until(async () => (await order()) === wanted, `it is not ${wanted}`);
        await becomes("general,garden,cellar,attic");

        await channels.getByRole("link", { name: "attic" }).press("Control+Shift+ArrowUp");
        await becomes("general,garden,attic,cellar");
        await page.getByText("attic is now 2 of 3 in Outside").waitFor({ state: "attached" });
        const focused = () => page.evaluate("document.activeElement.textContent");
        await until(async () => (await focused()) === "attic", "the focus did not go along");
        for (const wanted of ["general,attic,garden,cellar", "general,attic,garden,cellar"]) {
          await page.keyboard.press("Control+Shift+ArrowUp");
          await becomes(wanted);
        }
        await until(async () => (await focused()) === "attic", "the focus was lost between categories");
        await page.keyboard.press("Shift+F10");
        await page
          .getByRole("menuitem", { name: "Move down", exact: true })
          .and(page.locator("[aria-keyshortcuts='Control+Shift+ArrowDown']"))
          .waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });

        const last = channels.getByRole("link", { name: "cellar" });
        const box = await last.boundingBox();
        await channels
          .getByRole("link", { name: "garden" })
          .dragTo(last, { targetPosition: { x: 40, y: (box?.height ?? 0) - 4 } });
        await becomes("general,attic,cellar,garden");
        await page.reload();
        await becomes("general,attic,cellar,garden");
        await watched.close();
      },
      journey,
    );

    test(
      "a call is seen, and ended, while settings are open: at a desk and on a phone",
      async () => {
        const olga = await scene.person("olga");
        const server = await olga.makeServer("The house");
        const asked = { server_id: server.id, name: "parlour", type: "voice" };
        const room = (await olga.post<Channel>("/channels", asked)).body;
        for (const size of [{}, phone]) {
          const watched = await scene.watched(size);
          watched.allow(/WebSocket|asked 127\.0\.0\.1|Failed to load resource|CORS/i);
          const page = await watched.page(`/servers/${server.id}/channels/${room.id}`, olga);
          await page.getByRole("button", { name: "Join", exact: true }).click();
          await page.getByRole("main").getByText("The voice service cannot be reached.").waitFor();
          // Without a page load, which would end the call.
          await page.evaluate("history.pushState(null, '', '/settings/devices')");
          await page.getByRole("heading", { name: "Devices" }).waitFor();
          const call = page.getByRole("region", { name: "In parlour" });
          await call.getByText("The voice service cannot be reached.").waitFor();
          await call.getByRole("button", { name: "Close" }).click();
          await call.waitFor({ state: "detached" });
          await watched.close();
        }
      },
      journey,
    );

    test(
      "on a phone each page of settings has one title, one main part, and nothing beside its landmarks",
      async () => {
        const olga = await scene.person("olga");
        const server = await olga.makeServer("The house");
        const watched = await scene.watched(phone);
        const page = await watched.page("/settings", olga);
        await page.getByRole("link", { name: "Profile" }).waitFor();
        await eventually(() => outsideOfLandmarks(page)).toEqual([]);
        await page.getByRole("link", { name: "Devices" }).tap();
        await page.getByRole("heading", { name: "Devices" }).waitFor();
        await eventually(() => outsideOfLandmarks(page)).toEqual([]);
        await page.getByRole("link", { name: "Settings" }).tap();
        await page.getByRole("link", { name: "Profile" }).waitFor();
        await page.goto(`/servers/${server.id}/settings/roles`);
        await page.getByRole("row", { name: "@everyone" }).waitFor();
        await eventually(() => outsideOfLandmarks(page)).toEqual([]);
        await page.goto("/settings/nowhere");
        await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
        await watched.close();
      },
      journey,
    );

    test(
      "a server opens on the channel that stands at the top of its list, wherever it was put",
      async () => {
        const olga = await scene.person("olga");
        const server = await olga.makeServer("The house");
        const attic = { server_id: server.id, name: "attic", category: "Upstairs", position: 0 };
        await olga.post("/channels", attic);
        await olga.patch(`/channels/${server.general.id}`, { position: 5 });
        const watched = await scene.watched();
        const page = await watched.page("/", olga);
        await page.getByRole("link", { name: "attic" }).waitFor();
        await page.getByRole("main", { name: "general" }).waitFor();
        await watched.close();
      },
      journey,
    );

    test(
      "a name that was emptied is refused in the reader's language, and what was typed stays",
      async () => {
        const olga = await scene.person("olga");
        const server = await olga.makeServer("The house");
        const watched = await scene.watched({ locale: "de-DE" });
        watched.allow(/status of 400/);
        const page = await watched.page(`/servers/${server.id}/settings/overview`, olga);
        const name = page.getByRole("textbox", { name: "Name" });
        await name.fill("  ");
        await name.press("Enter");
        await page.getByText("Das darf nicht leer sein.").waitFor();
        await eventually(() => name.inputValue()).toBe("  ");
        await eventually(() => name.getAttribute("aria-invalid")).toBe("true");
        await watched.close();
      },
      journey,
    );

    test(
      "titles can be read while their own face is still on its way",
      async () => {
        const watched = await scene.watched();
        const asked = Promise.withResolvers<void>();
        const held = Promise.withResolvers<void>();
        await watched.context.route(/literata.*woff2/, async (route) => {
          asked.resolve();
          await held.promise;
          await route.continue();
        });
        const page = await watched.page("/login");
        await page.getByRole("heading", { name: "Welcome back" }).waitFor();
        await asked.promise;
        const faces = "[...document.fonts].filter(({ family }) => family.includes('Literata')).length";
        expect(await page.evaluate<number>(faces)).toBe(0);
        held.resolve();
        await until(async () => (await page.evaluate<number>(faces)) === 1, "the face did not come");
        await watched.close();
      },
      journey,
    );
  },
  () => ({ RATE_LIMITS: "off", ...voice.settings }),
  ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"],
);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const rules = [
  "region",
  "landmark-one-main",
  "landmark-main-is-top-level",
  "landmark-unique",
  "page-has-heading-one",
  "heading-order",
];

async function outsideOfLandmarks(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run("html", { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + " at " + target.join(" "))))`,
  );
}
