// Every page, checked by axe: in three themes, on a phone and on a desktop. A page that is not listed fails the test.
import { beforeAll, expect, test } from "bun:test";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import {
  addresses,
  declaredRoutes,
  type Furnished,
  ofChannel,
  ofConsole,
  ofPerson,
  ofServer,
  somewhere,
  untilShown,
} from "./routes.ts";
import { inChromium, journey } from "./scene.ts";

test("each route of the page has its addresses in the list of tests", () => {
  const nothing = { server: { id: "", general: {} }, messageId: "", inviteCode: "", conversation: {} };
  const none = nothing as unknown as Furnished;
  const listed = Object.keys(addresses(none)).filter((route) => route !== "*");
  expect(listed.sort()).toEqual(declaredRoutes().sort());
});

inChromium("every page there is", (scene) => {
  let furnished: Furnished;
  beforeAll(async () => {
    furnished = await somewhere(scene);
  });

  for (const route of [...declaredRoutes(), "*"])
    test(
      `axe finds nothing at ${route}`,
      async () => {
        const watched = await scene.watched();
        // Signed out; an invite that does not exist; a link that leads nowhere.
        watched.allow(/status of (400|401|404)/);
        const isOutside = ["/login", "/register", "/reset-password", "/invite/:code"].includes(route);
        const page = await watched.page("/", isOutside ? undefined : furnished.alice);
        for (const address of addresses(furnished)[route] ?? []) {
          await page.goto(address);
          await untilShown(page);
          await expectNoBarriers(page).catch((error: Error) => {
            throw new Error(`${address}: ${error.message}`);
          });
        }
        await watched.close();
      },
      journey,
    );

  test(
    "each page of settings, of a server's and a channel's settings and of the console is on the list",
    async () => {
      const watched = await scene.watched();
      const page = await watched.page("/settings/profile", furnished.alice);
      const expectListed = async (path: string, prefix: string, pages: readonly string[]) => {
        await page.goto(path);
        const links = `nav li a[href^="${prefix}/"]`;
        await page.locator(links).first().waitFor();
        const found = `[...document.querySelectorAll(${JSON.stringify(links)})].map((link) => link.pathname.split("/").at(-1))`;
        await eventually(async () => (await page.evaluate<string[]>(found)).sort()).toEqual(
          [...pages].sort(),
        );
      };
      const { id, general } = furnished.server;
      const settings = `/servers/${id}/settings`;
      const ofThis = `/servers/${id}/channels/${general.id}/settings`;
      await expectListed("/settings/profile", "/settings", ofPerson);
      await expectListed(`${settings}/overview`, settings, ofServer);
      await expectListed(`${ofThis}/overview`, ofThis, ofChannel);
      await expectListed("/admin/health", "/admin", ofConsole);
      await watched.close();
    },
    journey,
  );
});
