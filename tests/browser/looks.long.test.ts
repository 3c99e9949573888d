// Measurable layout of the chat: aligned edges, titles that are there from the start, no duplicates.
import { afterAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { until } from "../house/machine/waiting.ts";
import { boxOf } from "./composing.ts";
import { styleOf } from "./computed.ts";
import { eventually } from "./eventually.ts";
import { comes, inChromium, journey, rowOf } from "./scene.ts";
import { longPress } from "./touch.ts";
import { untilStill } from "./watching-rows.ts";

const media = new LiveKitDouble();

inChromium(
  "the look of the chat",
  (scene) => {
    afterAll(() => media.stop());

    async function home() {
      const alice = await scene.person("alice");
      const server = await alice.makeServer("Ubuntu");
      await alice.say(server.general.id, "the disk is mounted again");
      return { alice, server, address: `/servers/${server.id}/channels/${server.general.id}` };
    }

    test(
      "titles are read while their face is still under way, and stand in it once it is there",
      async () => {
        const { alice, address } = await home();
        const hers = await scene.watched();
        let release = () => {};
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        let isAsked = false;
        await hers.context.route(/literata.*woff2/, async (route) => {
          isAsked = true;
          await held;
          await route.continue();
        });
        const page = await hers.page(address, alice);
        await until(async () => isAsked, "the face of titles is not asked for");
        await page.getByRole("heading", { name: "Ubuntu" }).waitFor();
        const faces = (status: string) =>
          page.evaluate<number>(
            `[...document.fonts].filter((face) => /Literata/.test(face.family) && face.status === "${status}").length`,
          );
        // Text in a font that is added and not yet loaded is invisible.
        expect(await faces("loading")).toBe(0);
        release();
        await until(async () => (await faces("loaded")) > 0, "the face of titles did not come");
        await hers.close();
      },
      journey,
    );

    test(
      "on a wide screen rows and composer end together, behind the text of messages",
      async () => {
        const { alice, server, address } = await home();
        const long = await alice.say(server.general.id, "as long as lines can be ".repeat(20));
        const hers = await scene.watched({ viewport: { width: 1920, height: 1080 } });
        const page = await hers.page(address, alice);
        const text = rowOf(page, long).getByText("as long as lines can be").first();
        await text.waitFor();
        const box = boxOf(page).locator("xpath=ancestor::div[2]");
        await eventually(async () => {
          const [row, written] = [await edges(rowOf(page, long)), await edges(box)];
          return Math.abs(row.right - written.right);
        }).toBeLessThan(2);
        await eventually(async () => (await edges(box)).right - (await edges(text)).right).toBe(16);
        await hers.close();
      },
      journey,
    );

    test(
      "the last message, corrected where the list ends, is whole in sight with its buttons, and the list still ends there",
      async () => {
        const { alice, server, address } = await home();
        let last = { id: "" };
        for (let i = 0; i < 30; i++) last = await alice.say(server.general.id, `line ${i}`);
        await alice.post(`/messages/${last.id}/reactions`, { emoji: "🎉" });
        const hers = await scene.watched();
        const page = await hers.page(address, alice);
        await page.getByRole("button", { name: "🎉 1" }).waitFor();
        await boxOf(page).press("ArrowUp");
        const save = page.getByRole("button", { name: "Save", exact: true });
        await save.waitFor();
        const belowOf =
          "(() => { const list = document.querySelector('main [role=list]').parentElement; return list.scrollHeight - list.clientHeight - list.scrollTop; })()";
        await until(async () => (await page.evaluate<number>(belowOf)) <= 24, "the list does not end there");
        await untilStill(page);
        const room = await edges(page.locator("main [role=list]").locator(".."));
        await eventually(async () => (await edges(save)).bottom).toBeLessThanOrEqual(room.bottom);
        await eventually(() => page.getByRole("button", { name: "Jump to present" }).count()).toBe(0);
        await hers.close();
      },
      journey,
    );

    for (const width of [1280, 360])
      test(
        `without a connection the strip stands on the box, edge on edge, and one is not seen as here (${width})`,
        async () => {
          const { alice, address } = await home();
          const hers = await scene.watched({ viewport: { width, height: 740 } });
          hers.allow(/WebSocket|ERR_INTERNET_DISCONNECTED/);
          const page = await hers.page("/settings", alice);
          let cut = () => {};
          await page.routeWebSocket(/\/ws$/, (socket) => {
            socket.connectToServer();
            cut = () => void socket.close();
          });
          await page.goto(address);
          const box = boxOf(page);
          await box.waitFor();
          await page.getByText("the disk is mounted again").waitFor();
          await hers.context.setOffline(true);
          cut();
          const strip = page.getByRole("status", { name: "Connection" });
          await strip.waitFor();
          const frame = box.locator("xpath=ancestor::div[2]");
          await until(async () => {
            const [above, below] = [await edges(strip), await edges(frame)];
            const apart = [above.left - below.left, above.right - below.right, above.bottom - below.top];
            return apart.every((pixels) => Math.abs(pixels) <= 1);
          }, "the strip does not stand on the box");
          await eventually(() => styleOf(frame, "borderTopRightRadius")).toBe("0px");
          if (width > 720) await page.getByText("Connecting again", { exact: true }).waitFor();
          await hers.close();
        },
        journey,
      );

    test(
      "large text and long names make nothing wider than a telephone",
      async () => {
        const { alice, server, address } = await home();
        const talkers = [await scene.person("bob"), await scene.person("carol")];
        await alice.bringIn(server.id, ...talkers);
        for (const talker of talkers)
          await talker.patch("/auth/me", { display_name: "Wolfgang Amadeus Theophilus" });
        await alice.patch(`/servers/${server.id}`, {
          name: "A server with a name that is longer than its line",
        });
        const hers = await scene.watched({ viewport: { width: 360, height: 740 } });
        await hers.context.addInitScript(
          `if (location.protocol === "http:") localStorage.setItem("hearth.look", '{"textSize":20}')`,
        );
        const page = await hers.page(address, alice);
        await page.getByText("the disk is mounted again").waitFor();
        // The typing line fades after six seconds.
        await until(async () => {
          for (const talker of talkers) await talker.post(`/channels/${server.general.id}/typing`);
          return comes(page.getByText("are typing"), 3000);
        }, "nobody is seen typing");
        await eventually(() => edges(page.getByRole("main"))).toMatchObject({ left: 0, right: 360 });
        await page.goto(`/servers/${server.id}`);
        const menu = page.getByRole("button", { name: "Server menu" });
        await menu.waitFor();
        await eventually(async () => (await edges(menu)).right).toBeLessThanOrEqual(360);
        await hers.close();
      },
      journey,
    );

    test(
      "the menu of a message opens at the pointer",
      async () => {
        const { alice, address } = await home();
        const hers = await scene.watched({ viewport: { width: 1280, height: 740 } });
        const page = await hers.page(address, alice);
        await page.getByText("the disk is mounted again").waitFor();
        await untilStill(page);
        await page
          .getByText("the disk is mounted again")
          .click({ button: "right", position: { x: 90, y: 9 } });
        const text = await edges(page.getByText("the disk is mounted again"));
        const menu = page.getByRole("menu", { name: "Message actions" });
        await menu.waitFor();
        const aside = async () => Math.abs((await edges(menu)).left - (text.left + 90));
        await eventually(aside).toBeLessThanOrEqual(6);
        // Below the pointer, or above it if there is no room.
        const apart = async () => {
          const { top, bottom } = await edges(menu);
          return Math.min(Math.abs(top - text.top - 9), Math.abs(bottom - text.top - 9));
        };
        await eventually(apart).toBeLessThanOrEqual(12);
        await hers.close();
      },
      journey,
    );

    test(
      "the sheet of a message names each thing once",
      async () => {
        const { alice, address } = await home();
        const hers = await scene.watched({
          ...{ viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true },
        });
        const page = await hers.page(address, alice);
        await longPress(page, page.getByText("the disk is mounted again"));
        const sheet = page.getByRole("dialog", { name: "Message actions" });
        await sheet.getByRole("button", { name: "Copy text" }).waitFor();
        const buttons = await sheet.getByRole("button").all();
        const names = await Promise.all(
          buttons.map(
            async (button) => (await button.getAttribute("aria-label")) ?? (await button.innerText()),
          ),
        );
        expect(names).toContain("React");
        expect(names).toEqual([...new Set(names)]);
        await hers.close();
      },
      journey,
    );

    test(
      "a room to talk in shows how to join it under the pointer and with the focus",
      async () => {
        const { alice, server, address } = await home();
        await alice.post<Channel>("/channels", { server_id: server.id, name: "parlour", type: "voice" });
        const hers = await scene.watched({ viewport: { width: 1280, height: 740 } });
        const page = await hers.page(address, alice);
        const join = page.getByRole("button", { name: "parlour", exact: true });
        await join.waitFor();
        const opacity = () => styleOf(join, "opacity");
        await eventually(opacity).toBe("0");
        await page.getByRole("link", { name: "parlour" }).hover();
        await eventually(opacity).toBe("1");
        await page.mouse.move(700, 300);
        await page.getByRole("link", { name: "parlour" }).focus();
        await page.keyboard.press("Tab");
        await eventually(opacity).toBe("1");
        await hers.close();
      },
      journey,
    );
  },
  () => media.settings,
);

async function edges(place: Locator) {
  const { x = 0, y = 0, width = 0, height = 0 } = (await place.boundingBox()) ?? {};
  return { left: x, right: x + width, top: y, bottom: y + height };
}
