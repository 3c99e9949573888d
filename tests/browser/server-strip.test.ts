// The strip of servers: many of them by wheel and by name, what lies beyond its edges, and the order of one's own.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { held } from "./held.ts";
import { inChromium, journey, untilPart, untilSo } from "./scene.ts";
import { at, described, inServers, letters, listed, names, tabsOf } from "./strip.ts";
import { phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

inChromium("the strip of servers", (scene) => {
  test(
    "beside four servers there is nothing else; from the fifth on half a tab peeps out, and the wheel brings the rest",
    async () => {
      const { alice, servers } = await inServers(scene, 4);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker);
      await untilPart(page, "all-servers");
      expect(await letters(page)).toEqual(["TF", "CH", "AL", "OS"]);
      expect(await page.getByRole("button", { name: "All servers" }).count()).toBe(0);
      expect(await partsInSight(page)).toEqual([1, 1, 1, 1]);

      await alice.makeServer("River Crew");
      await alice.makeServer("Night Garden");
      await page.getByRole("button", { name: "All servers" }).waitFor();
      const cut = async () => (await partsInSight(page)).filter((part) => part > 0 && part < 1);
      expect((await partsInSight(page)).slice(0, 3)).toEqual([1, 1, 1]);
      for (const part of await cut()) expect(Math.abs(part - 0.5)).toBeLessThan(0.1);
      expect(await cut()).toHaveLength(1);

      const last = page
        .getByRole("navigation", { name: "Servers" })
        .getByRole("link", { name: "Night Garden" });
      await page.getByRole("link", { name: "Choir" }).hover();
      await page.mouse.wheel(0, 2000);
      await eventually(async () => (await partsInSight(page)).at(-1)).toBe(1);
      await last.click();
      await page.getByRole("heading", { name: "Night Garden" }).waitFor();
      await page.mouse.wheel(-2000, 0);
      await eventually(async () => (await partsInSight(page))[0]).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "the edge says what is unread and what mentions Alice beyond it, and the button how many mentions there are",
    async () => {
      const { alice, bob, servers } = await inServers(scene, 7);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker);
      await untilPart(page, "all-servers");
      const edges = () => beyond(page);
      await eventually(edges).toEqual([null, null]);
      await bob.say(at(servers, 6).general.id, "Wind at last");
      await eventually(edges).toEqual([null, "unread"]);
      await bob.say(at(servers, 5).general.id, `@${alice.username}, the moths are here`);
      await eventually(edges).toEqual([null, "mention"]);
      await eventually(() => page.evaluate<string>(described)).toBe("1 mention");
      await expectNoBarriers(page, [390, 768, 1280]);

      await page.getByRole("link", { name: "Choir" }).hover();
      await page.mouse.wheel(0, 2000);
      await eventually(edges).toEqual([null, null]);
      await eventually(() => page.evaluate<string>(described)).toBe("");
      await bob.say(at(servers, 1).general.id, "Warm up");
      await eventually(edges).toEqual(["unread", null]);
      await expectNoBarriers(page);
      await watched.close();
    },
    journey,
  );

  test(
    "a tab moves by keys and keeps the focus, and by the mouse; the order is there on every device, and after a reload",
    async () => {
      const { alice, servers } = await inServers(scene, 4);
      const ear = await alice.listen();
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker);
      await untilPart(page, "all-servers");
      const tab = (name: string) =>
        page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name });
      await eventually(() => tab("Choir").getAttribute("aria-keyshortcuts")).toBe(
        "Control+Shift+ArrowLeft Control+Shift+ArrowRight",
      );
      await tab("Choir").focus();
      for (let step = 0; step < 2; step++) await page.keyboard.press("Control+Shift+ArrowRight");
      await eventually(() => letters(page)).toEqual(["TF", "AL", "OS", "CH"]);
      expect(await page.evaluate<string>("document.activeElement.textContent")).toContain("Choir");
      await page.keyboard.press("Control+Shift+ArrowLeft");
      await eventually(() => letters(page)).toEqual(["TF", "AL", "CH", "OS"]);
      const ids = (...places: number[]) => places.map((place) => at(servers, place).id);
      await told(ear, ids(0, 2, 1, 3));

      await tab("Theta Friends").dragTo(tab("Open Shelves"));
      await eventually(() => letters(page)).toEqual(["AL", "CH", "OS", "TF"]);
      await told(ear, ids(2, 1, 3, 0));
      await tab("Open Shelves").dragTo(tab("The Allotment"));
      await told(ear, ids(3, 2, 1, 0));
      await page.reload();
      await eventually(() => letters(page)).toEqual(["OS", "AL", "CH", "TF"]);

      await alice.put("/auth/me/server-order", { server_ids: ids(1) });
      await eventually(() => letters(page)).toEqual(["CH", "TF", "AL", "OS"]);
      ear.close();
      await watched.close();
    },
    journey,
  );

  test(
    "where the order cannot be kept, the tab goes back and Alice is told",
    async () => {
      const { alice, servers } = await inServers(scene, 3);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker, /ERR_FAILED/);
      await untilPart(page, "all-servers");
      await page.route("**/auth/me/server-order", (route) => route.abort());
      await page.getByRole("link", { name: "Theta Friends" }).focus();
      await page.keyboard.press("Control+Shift+ArrowRight");
      await eventually(() => letters(page)).toEqual(["CH", "TF", "AL"]);
      await page.getByRole("alert").getByText("The server could not be moved.").waitFor();
      await eventually(() => letters(page)).toEqual(["TF", "CH", "AL"]);
      await watched.close();
    },
    journey,
  );

  test(
    "a second move that is refused goes back to the first, and one before a reload is kept",
    async () => {
      const { alice, servers } = await inServers(scene, 3);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker, /ERR_FAILED/);
      await untilPart(page, "all-servers");
      const address = "**/auth/me/server-order";
      const move = (name: string) =>
        page
          .getByRole("navigation", { name: "Servers" })
          .getByRole("link", { name })
          .press("Control+Shift+ArrowRight");
      const first = await held(page, address);
      await move("Theta Friends");
      await first.asked;
      const second = await held(page, address);
      await move("Choir");
      await eventually(() => letters(page)).toEqual(["TF", "CH", "AL"]);
      await first.answer();
      await second.fail();
      await page.getByRole("alert").getByText("The server could not be moved.").waitFor();
      await eventually(() => letters(page)).toEqual(["CH", "TF", "AL"]);

      await move("Theta Friends");
      await page.reload();
      await eventually(() => letters(page)).toEqual(["CH", "AL", "TF"]);
      await watched.close();
    },
    journey,
  );

  test(
    "after a move by keys, the list of all servers leaves the focus where it is put",
    async () => {
      const { alice, bob, servers } = await inServers(scene, 7);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker);
      await untilPart(page, "all-servers");
      await page.getByRole("button", { name: "All servers", exact: true }).click();
      await untilSo(page, "document.activeElement?.type === 'search'");
      for (const key of ["ArrowDown", "Alt+ArrowDown"]) await page.keyboard.press(key);
      await eventually(async () => (await listed(page)).slice(0, 2)).toEqual(["Choir", "Theta Friends"]);
      const dialog = page.getByRole("dialog", { name: "All servers" });
      await dialog.getByRole("searchbox", { name: "Find a server" }).click();
      await bob.say(at(servers, 5).general.id, `@${alice.username}, the moths are here`);
      await dialog.getByRole("link", { name: "Night Garden 1 mention" }).waitFor();
      expect(await page.evaluate<string>("document.activeElement.type")).toBe("search");
      await watched.close();
    },
    journey,
  );

  test(
    "all servers are in a list, found by name or initials, opened by Enter, and moved by keys and by the mouse",
    async () => {
      const { alice, bob, servers } = await inServers(scene, 7);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker);
      await untilPart(page, "all-servers");
      await bob.say(at(servers, 5).general.id, `@${alice.username}, the moths are here`);
      const dialog = page.getByRole("dialog", { name: "All servers" });
      const box = dialog.getByRole("searchbox", { name: "Find a server" });
      const open = async () => {
        await page.getByRole("button", { name: "All servers", exact: true }).click();
        await untilSo(page, "document.activeElement?.type === 'search'");
      };
      await open();
      await eventually(() => listed(page)).toEqual(names);
      await dialog.getByRole("link", { name: "Night Garden 1 mention" }).waitFor();
      await dialog.getByText("7 servers, 1 unread").waitFor();
      await expectNoBarriers(page);

      await box.fill("shel");
      await eventually(() => listed(page)).toEqual(["Open Shelves"]);
      await box.fill("nothing like it");
      await dialog.getByRole("status").getByText("No server called “nothing like it”").waitFor();
      await box.fill("tf");
      await eventually(() => listed(page)).toEqual(["Theta Friends"]);
      await box.fill("kc");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "Kite Club" }).waitFor();

      await open();
      for (const key of ["ArrowDown", "ArrowDown", "o", "s"]) await page.keyboard.press(key);
      await eventually(() => listed(page)).toEqual(["Open Shelves"]);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Open Shelves" }).waitFor();

      await open();
      for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Alt+ArrowDown");
      const [first = "", second = "", third = "", ...others] = names;
      await eventually(() => listed(page)).toEqual([first, third, second, ...others]);
      // The mark of the drop stays, whatever part of a row is under the pointer.
      const kite = dialog.getByRole("link", { name: "Kite Club" });
      const [from, to] = [
        await kite.boundingBox(),
        await dialog.getByText(first, { exact: true }).boundingBox(),
      ];
      if (!from || !to) throw new Error("the rows have no place");
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
      await page.mouse.down();
      await page.mouse.move(to.x + 4, from.y - 60, { steps: 4 });
      for (const x of [to.x - 20, to.x + 4]) {
        await page.mouse.move(x, to.y + to.height / 2);
        await eventually(() => dialog.locator("[data-drop=before]").allTextContents()).toEqual([
          expect.stringContaining(first),
        ]);
      }
      await page.mouse.up();
      const moved = ["Kite Club", first, third, second, ...others.slice(0, -1)];
      await eventually(() => listed(page)).toEqual(moved);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await eventually(() => letters(page)).toEqual(["KC", "TF", "AL", "CH", "OS", "RC", "NG"]);

      await open();
      await dialog.getByRole("button", { name: "Add a server" }).click();
      await page
        .getByRole("dialog", { name: "Add a server" })
        .getByRole("textbox", { name: "Server name" })
        .waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "on a phone the list of all servers is a sheet, from which one opens with a tap",
    async () => {
      const { alice, servers } = await inServers(scene, 9);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page(`/servers/${at(servers, 0).id}`, alice);
      await untilPart(page, "all-servers");
      const inSight = await partsInSight(page);
      expect(inSight.filter((part) => part > 0.4 && part < 0.6)).toHaveLength(1);
      await page.getByRole("button", { name: "All servers", exact: true }).tap();
      const dialog = page.getByRole("dialog", { name: "All servers" });
      await dialog.getByRole("heading", { name: "All servers" }).waitFor();
      await dialog.getByRole("link", { name: "Night Garden" }).tap();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("heading", { name: "Night Garden" }).waitFor();
      await watched.close();
    },
    journey,
  );
});

/** How much of each tab is in sight, from 0 to 1. */
function partsInSight(page: Page): Promise<number[]> {
  return page.evaluate(`${tabsOf}.map((tab) => {
    const [{ left, right, width }, room] = [tab.getBoundingClientRect(), tab.parentElement.getBoundingClientRect()];
    return Math.max(0, Math.round(((Math.min(right, room.right) - Math.max(left, room.left)) / width) * 100) / 100);
  })`);
}

/** The marks of the edges: "unread", "mention", or none. */
function beyond(page: Page): Promise<(string | null)[]> {
  return page.evaluate(
    `[...document.querySelectorAll("nav[aria-label=Servers] [data-edge]")].map((edge) => edge.getAttribute("data-beyond"))`,
  );
}

async function told(ear: Awaited<ReturnType<TestPerson["listen"]>>, ids: readonly string[]): Promise<void> {
  await ear.until(
    ({ type, data }) => type === "SERVER_ORDER_UPDATE" && String(data.server_ids) === ids.join(),
  );
}
