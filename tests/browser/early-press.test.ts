// A press before the part of the page that handles it is loaded takes effect once that part is there.
import { beforeAll, expect, test } from "bun:test";
import type { TestPerson } from "../house/people/people.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, patienceMs, untilPart, untilSo, watchFor } from "./scene.ts";
import { type Watched, withoutWorker } from "./watched.ts";

const switcher = /assets\/(switcher|finder-overlay)/;

inChromium("a press before its part is there", (scene) => {
  let alice: TestPerson;

  beforeAll(async () => {
    alice = await scene.person("alice");
  }, patienceMs);

  test(
    "opens the menu of a server, the switcher, and what a word can be completed to",
    async () => {
      const home = await alice.makeServer("Home");
      await alice.say(home.general.id, "Hello");
      const watched = await scene.watched(withoutWorker);
      const parts = /assets\/(menu-overlay|menus|switcher|finder-overlay|suggestions)-/;
      const { release } = await hold(watched, parts);
      const page = await watched.page(`/servers/${home.id}/channels/${home.general.id}`, alice);
      await page.locator("[data-message-id]").first().waitFor();
      const writing = boxOf(page);
      await writing.pressSequentially("#gen");
      await page.getByRole("button", { name: "Server menu" }).click();
      expect(await page.getByRole("menu").count()).toBe(0);
      release();
      await page.getByRole("menu").waitFor();
      await page.keyboard.press("Escape");
      await writing.click();
      await page.getByRole("option", { name: /general/ }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "keys behind Ctrl+K wait for the switcher, and post nothing",
    async () => {
      const { home, made, pathOf } = await homeWith("kitchen");
      const watched = await scene.watched(withoutWorker);
      const { release } = await hold(watched, /assets\/(switcher|finder-overlay|rest)/);
      const page = await watched.page(pathOf(home.general.id), alice);
      await page.locator("[data-message-id]").first().waitFor();
      await boxOf(page).click();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("kitchen");
      await page.keyboard.press("Enter");
      expect(await boxOf(page).inputValue()).toBe("");
      release();
      await page.waitForURL(`**${pathOf(made)}`);
      // Keys go to the page again.
      const box = page.getByRole("textbox", { name: "Message #kitchen" });
      await box.click();
      await page.keyboard.type("hot");
      await untilSo(page, "document.querySelector('textarea')?.value === 'hot'");
      expect(await saidIn(home.general.id)).toEqual(["Hello"]);
      await watched.close();
    },
    journey,
  );

  for (const [name, lateMs] of [
    ["larder", 100],
    ["cellar", 500],
  ] as const)
    test(
      `Ctrl+K, a name and Enter lead to the channel where each file comes ${lateMs} ms late`,
      async () => {
        const { home, made, pathOf } = await homeWith(name);
        const watched = await scene.watched(withoutWorker);
        await watched.context.route(/\/assets\//, async (route) => {
          await Bun.sleep(lateMs);
          await route.continue();
        });
        const page = await watched.page(pathOf(home.general.id), alice);
        await boxOf(page).click();
        await page.keyboard.press("Control+k");
        await page.keyboard.type(name);
        await page.keyboard.press("Enter");
        await page.waitForURL(`**${pathOf(made)}`);
        expect(await saidIn(home.general.id)).toEqual(["Hello"]);
        await watched.close();
      },
      journey,
    );

  test(
    "a press of the pointer gives the keys back, and what waited is dropped",
    async () => {
      const { watched, page } = await pageWithout(switcher);
      await boxOf(page).click();
      await page.keyboard.press("Control+k");
      await page.keyboard.type("kitchen");
      await boxOf(page).click();
      await page.keyboard.type("Hi");
      await untilSo(page, "document.querySelector('textarea')?.value === 'Hi'");
      await watched.close();
    },
    journey,
  );

  test(
    "parts that load on first use wait until nobody presses anything; those that show something by themselves do not",
    async () => {
      const { home, pathOf } = await homeWith("cellar");
      const watched = await scene.watched(withoutWorker);
      await watched.context.addInitScript(`
        window.presses = 0;
        const press = () => {
          window.presses++;
          dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
        };
        const pressing = setInterval(press, 100);
        window.letGo = () => clearInterval(pressing);`);
      const page = await watched.page(pathOf(home.general.id), alice);
      const has = async (name: string) =>
        await page.evaluate<boolean>(
          `performance.getEntriesByType("resource").some(({ name }) => name.includes("/assets/${name}-"))`,
        );
      for (const mounted of ["ringing-watch", "all-servers", "toasts"])
        await eventually(() => has(mounted)).toBe(true);
      const pressed = await page.evaluate<number>("presses");
      await untilSo(page, `presses >= ${pressed + 10}`);
      expect(await has("picker-overlay")).toBe(false);
      await page.evaluate("letGo()");
      await eventually(() => has("picker-overlay")).toBe(true);
      await watched.close();
    },
    journey,
  );

  test(
    "a mouse that rests on a message of a tablet before the actions are loaded shows them with its next move",
    async () => {
      const { home, pathOf } = await homeWith("larder");
      const watched = await scene.watched(withoutWorker);
      const { release } = await hold(watched, /assets\/(more-keys|action-bar)/);
      await watched.context.addInitScript(`{
        const asked = matchMedia.bind(window);
        window.matchMedia = (query) => (query === "(hover: none)" ? { matches: true } : asked(query));
      }`);
      const page = await watched.page(pathOf(home.general.id), alice);
      const text = page.getByRole("article").getByText("Hello");
      await text.hover({ position: { x: 4, y: 4 } });
      release();
      await untilPart(page, "more-keys");
      await untilPart(page, "action-bar");
      const bar = page.getByRole("toolbar", { name: "Message actions" });
      expect(await bar.count()).toBe(0);
      await text.hover({ position: { x: 6, y: 4 } });
      await bar.waitFor();
      await watched.close();
    },
    journey,
  );

  /** Opens Alice's page on the general channel of a new server; parts with these names are held until `release`. */
  async function pageWithout(parts: RegExp) {
    const { home, pathOf } = await homeWith("garden");
    const watched = await scene.watched(withoutWorker);
    const held = await hold(watched, parts);
    const page = await watched.page(pathOf(home.general.id), alice);
    return { home, watched, page, ...held };
  }

  test(
    "Ctrl+K twice opens one switcher, and Escape gives the keys back and closes what comes",
    async () => {
      const { watched, page, release } = await pageWithout(switcher);
      await boxOf(page).click();
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+k");
      await page.keyboard.type("kitchen");
      await page.keyboard.press("Escape");
      await page.keyboard.type("Hi");
      await untilSo(page, "document.querySelector('textarea')?.value === 'Hi'");
      const opened = await watchFor(page, "[role=dialog]");
      release();
      await opened();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.type("!");
      await untilSo(page, "document.querySelector('textarea')?.value === 'Hi!'");
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).waitFor();
      await eventually(() => page.getByRole("dialog").count()).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "signs that AltGr types on Windows wait like others",
    async () => {
      const { watched, page, release } = await pageWithout(switcher);
      // Windows reports AltGraph as Control and Alt together.
      await page.evaluate(`(() => {
        const asked = KeyboardEvent.prototype.getModifierState;
        KeyboardEvent.prototype.getModifierState = function (key) {
          return key === "AltGraph" ? this.ctrlKey && this.altKey : asked.call(this, key);
        };
      })()`);
      await boxOf(page).click();
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+Alt+q");
      await page.keyboard.type("uay");
      release();
      await page.getByRole("combobox", { name: "Go to" }).waitFor();
      await untilSo(page, "document.querySelector('[role=dialog] input')?.value === 'quay'");
      expect(await boxOf(page).inputValue()).toBe("");
      await watched.close();
    },
    journey,
  );

  test(
    "Ctrl+K after Escape holds the keys again",
    async () => {
      const { watched, page, release } = await pageWithout(switcher);
      await boxOf(page).click();
      for (const key of ["Control+k", "Escape", "Control+k"]) await page.keyboard.press(key);
      await page.keyboard.type("gard");
      release();
      const field = page.getByRole("combobox", { name: "Go to" });
      await field.waitFor();
      await untilSo(page, "document.querySelector('[role=dialog] input')?.value === 'gard'");
      expect(await boxOf(page).inputValue()).toBe("");
      await watched.close();
    },
    journey,
  );

  test(
    "Tab leads on, and the browser's own keys work, while the switcher is waited for",
    async () => {
      const { watched, page } = await pageWithout(switcher);
      await boxOf(page).click();
      await page.evaluate(`(() => {
        window.heard = [];
        addEventListener("keydown", ({ key, defaultPrevented }) => heard.push([key, defaultPrevented]));
      })()`);
      await page.keyboard.press("Control+k");
      await page.keyboard.press("F5");
      await page.keyboard.press("F12");
      await page.keyboard.type("kit");
      await page.keyboard.press("Tab");
      expect(await page.evaluate("heard.filter(([key]) => /^(F|Tab|k|i|t)/.test(key)).slice(1)")).toEqual([
        ["F5", false],
        ["F12", false],
        ["Tab", false],
      ]);
      await untilSo(page, "document.activeElement?.matches('textarea, body') === false");
      await watched.close();
    },
    journey,
  );

  test(
    "a line broken before the field is there is broken in it",
    async () => {
      const { watched, page, asked, release } = await pageWithout(/assets\/edit-box/);
      await asked;
      // The part that maps keys to actions: keys after one that comes before it would not be held.
      await untilPart(page, "row-keys");
      const row = page.getByRole("article").filter({ hasText: "Hello" });
      await row.waitFor();
      await row.focus();
      await page.keyboard.press("e");
      await page.keyboard.type(" a");
      await page.keyboard.press("Shift+Enter");
      await page.keyboard.type("b");
      release();
      await untilSo(page, `document.querySelector("article textarea")?.value === "Hello a\\nb"`);
      await watched.close();
    },
    journey,
  );

  test(
    "Enter sends what is typed while the list for it is still being loaded, and takes what a list shows",
    async () => {
      const { home, watched, page, release } = await pageWithout(/assets\/suggestions/);
      await boxOf(page).click();
      await page.keyboard.type("See #gen");
      await page.keyboard.press("Enter");
      await page.getByRole("article").filter({ hasText: "See #gen" }).waitFor();
      await eventually(() => boxOf(page).inputValue()).toBe("");
      release();
      await page.keyboard.type("And #gen");
      await page.getByRole("option", { name: /general/ }).waitFor();
      await eventually(() => page.getByRole("listbox").count()).toBe(1);
      await page.keyboard.press("Enter");
      await untilSo(page, "document.querySelector('textarea')?.value === 'And #general '");
      await eventually(() => saidIn(home.general.id)).toEqual(["See #gen", "Hello"]);
      await watched.close();
    },
    journey,
  );

  test(
    "keys behind the press that opens the emoji wait for them",
    async () => {
      const { watched, page, release } = await pageWithout(/assets\/(picker-overlay|popover-overlay|emoji)/);
      await page.getByRole("button", { name: "Emoji" }).press("Enter");
      await page.keyboard.type("crossed fi");
      await page.keyboard.press("Enter");
      release();
      await untilSo(page, "document.querySelector('textarea')?.value === '🤞'");
      await watched.close();
    },
    journey,
  );

  test(
    "keys behind the press that opens a menu wait for the menu, and for the dialog that it opens",
    async () => {
      const { home, pathOf } = await homeWith("garden");
      const watched = await scene.watched(withoutWorker);
      const menus = await hold(watched, /assets\/(menu-overlay|menus)/);
      const dialogs = await hold(watched, /assets\/(channel-dialogs|dialog-overlay)/);
      const page = await watched.page(pathOf(home.general.id), alice);
      await page.getByRole("button", { name: "Server menu" }).press("Enter");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Escape");
      menus.release();
      await page.getByRole("button", { name: "Server menu", expanded: false }).waitFor();
      await page.getByRole("menu").waitFor({ state: "detached" });
      // Keys go to the page again.
      await page.getByRole("button", { name: "Server menu" }).press("Enter");
      await page.getByRole("menuitem", { name: "Create channel" }).press("Enter");
      // The menu returns the focus while the dialog is loading.
      await untilSo(page, "document.activeElement?.matches('[aria-haspopup]')");
      // The dialog is requested in the same frame; from the next frame on keys are held.
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      await page.keyboard.type("pantry");
      await page.keyboard.press("Enter");
      dialogs.release();
      await page.getByRole("textbox", { name: "Message #pantry" }).waitFor();
      await watched.close();
    },
    journey,
  );

  /** Holds parts with these names once they are requested, until `release` is called. */
  async function hold({ context }: Watched, parts: RegExp) {
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await context.route(parts, async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    return { asked: asked.promise, release: held.resolve };
  }

  async function homeWith(name: string) {
    const home = await alice.makeServer("Home");
    const named = { server_id: home.id, name, type: "text" };
    const { body } = await alice.post<{ id: string }>("/channels", named);
    await alice.say(home.general.id, "Hello");
    const pathOf = (channelId: string) => `/servers/${home.id}/channels/${channelId}`;
    return { home, made: body.id, pathOf };
  }

  async function saidIn(channelId: string): Promise<string[]> {
    const { body } = await alice.get<{ content: string }[]>(`/channels/${channelId}/messages`);
    return body.map(({ content }) => content);
  }
});
