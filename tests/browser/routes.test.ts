// Every page there is, looked at by axe: in three themes, on a phone and on a desk. A new page is on the list or fails here.
import { beforeAll, expect, test } from "bun:test";
import { expectNoBarriers } from "./axe.ts";
import {
  addresses,
  declaredRoutes,
  type Furnished,
  ofConsole,
  ofPerson,
  ofServer,
  somewhere,
  untilShown,
} from "./routes.ts";
import { inChromium, patienceMs } from "./scene.ts";

test("each route of the page has its addresses in the list of tests", () => {
  const none = { server: { id: "", general: {} }, messageId: "", inviteCode: "" } as unknown as Furnished;
  const listed = Object.keys(addresses(none)).filter((route) => route !== "*");
  expect(listed.sort()).toEqual(declaredRoutes().sort());
});

inChromium("every page there is", (scene) => {
  let furnished: Furnished;
  beforeAll(async () => {
    furnished = await somewhere(scene);
  });

  async function expectAllClear(isSignedIn: boolean, routes: readonly string[]) {
    const watched = await scene.watched();
    // Nobody is signed in; an invite that there is not; a link that leads nowhere.
    watched.allow(/status of (400|401|404)/);
    const page = await watched.page("/login", isSignedIn ? furnished.alice : undefined);
    const known = addresses(furnished);
    for (const address of routes.flatMap((route) => known[route] ?? [])) {
      await page.goto(address);
      await untilShown(page);
      await expectNoBarriers(page).catch((error: Error) => {
        throw new Error(`${address}: ${error.message}`);
      });
    }
    await watched.close();
  }

  test(
    "before one is inside",
    async () => {
      await expectAllClear(false, ["/login", "/register", "/reset-password", "/invite/:code"]);
    },
    patienceMs,
  );

  test(
    "the house, and a person's settings",
    async () => {
      await expectAllClear(true, [
        "/",
        "/servers/:serverId/channels/:channelId",
        "/servers/:serverId/channels/:channelId/messages/:messageId",
        "/settings/*?",
        "*",
      ]);
    },
    patienceMs,
  );

  test(
    "the settings of a server and the console; each of their pages is on the list",
    async () => {
      const watched = await scene.watched();
      const page = await watched.page("/settings/profile", furnished.alice);
      const listed = async (path: string, name: string) => {
        await page.goto(path);
        const links = page.getByRole("navigation", { name }).getByRole("listitem").getByRole("link");
        await links.first().waitFor();
        const paths = await links.evaluateAll<string[], null>(
          `(links) => links.map((link) => new URL(link.href).pathname)`,
          null,
        );
        return paths.map((each) => each.split("/").at(-1) ?? "").sort();
      };
      expect(await listed("/settings/profile", "Settings")).toEqual([...ofPerson].sort());
      const { id } = furnished.server;
      expect(await listed(`/servers/${id}/settings/overview`, "Server settings")).toEqual(
        [...ofServer].sort(),
      );
      expect(await listed("/admin/health", "Hearth")).toEqual([...ofConsole].sort());
      await watched.close();
      await expectAllClear(true, ["/servers/:serverId/settings/:page?", "/admin/:page?"]);
    },
    patienceMs,
  );
});
