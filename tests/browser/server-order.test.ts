// The order of one's servers by the menu of a tab, and the list of all where an input method writes.
import { expect, test } from "bun:test";
import { eventually } from "./eventually.ts";
import { later } from "./held.ts";
import { composing } from "./keyboard.ts";
import { inChromium, journey, untilPart } from "./scene.ts";
import { at, inServers, letters } from "./strip.ts";
import { phone } from "./touch.ts";
import { withoutWorker } from "./watched.ts";

inChromium("the order of servers", (scene) => {
  test(
    "the menu of a tab moves it to the left and to the right, but not beyond the ends",
    async () => {
      const { alice, servers } = await inServers(scene, 3);
      const watched = await scene.watched({ ...phone, ...withoutWorker });
      const page = await watched.page(`/servers/${at(servers, 0).id}`, alice);
      await untilPart(page, "all-servers");
      const tab = page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: "Choir" });
      const item = (name: string) => page.getByRole("menuitem", { name });
      const open = async () => {
        await tab.dispatchEvent("contextmenu");
        await page.getByRole("menu", { name: "Server menu" }).waitFor();
      };
      await open();
      await item("Move left").tap();
      await eventually(() => letters(page)).toEqual(["CH", "TF", "AL"]);
      await item("Move right").waitFor({ state: "detached" });
      await open();
      await item("Move right").waitFor();
      expect(await item("Move left").count()).toBe(0);
      await item("Move right").tap();
      await eventually(() => letters(page)).toEqual(["TF", "CH", "AL"]);
      await watched.close();
    },
    journey,
  );

  test(
    "the keys of an input method open no server, and the open one does not count as unread",
    async () => {
      const { alice, bob, servers } = await inServers(scene, 6);
      const { watched, page } = await scene.open(alice, at(servers, 0), withoutWorker);
      await untilPart(page, "all-servers");
      const made = { server_id: at(servers, 0).id, name: "moths", type: "text" };
      const moths = (await alice.post<{ id: string }>("/channels", made)).body;
      await bob.say(moths.id, "They are here");
      await bob.say(at(servers, 5).general.id, "Wind at last");
      await page.getByRole("button", { name: "All servers", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "All servers" });
      await dialog.getByRole("link", { name: "Night Garden unread" }).waitFor();
      await dialog.getByText("6 servers, 1 unread").waitFor();

      await dialog.getByRole("searchbox", { name: "Find a server" }).fill("ch");
      await dialog.getByRole("link").nth(1).waitFor({ state: "detached" });
      await page.evaluate(composing("Enter"));
      await page.evaluate(later);
      expect(await dialog.count()).toBe(1);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Choir" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
