// Accessible names of settings, of the offline strip, of unsent messages, and of the chosen theme.
import { expect, test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { eventually } from "./eventually.ts";
import { throughRelay, untilConnected } from "./relayed.ts";
import { journey } from "./scene.ts";
import { Watched } from "./watched.ts";

const ownPages = [
  "Profile",
  "Password and passkeys",
  "Devices",
  "Appearance",
  "Notifications",
  "Accessibility",
];
const serverPages = ["Overview", "Roles", "Members", "Invites", "Bans", "Bots", "Webhooks", "Events"];

throughRelay("the names of settings", (scene, relay) => {
  test(
    "each page of one's own settings and of a server's is a heading of its name",
    async () => {
      const alice = await scene.person("alice");
      const server = await alice.makeServer("The kitchen");
      const watched = await scene.watched();
      const page = await watched.page("/", alice);
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.getByRole("button", { name: "You", exact: true }).click();
      await page.getByRole("menuitem", { name: "Settings", exact: true }).click();
      for (const name of ownPages) {
        await page.getByRole("link", { name, exact: true }).click();
        await page.getByRole("heading", { name, exact: true }).waitFor();
      }
      expect(new URL(page.url()).pathname).toMatch(/^\/settings\//);
      await page.goto(`/servers/${server.id}/settings`);
      for (const name of serverPages) {
        await page.getByRole("link", { name, exact: true }).click();
        await page.getByRole("heading", { name, exact: true }).waitFor();
      }
      expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/servers/${server.id}/settings/`));
      await watched.close();
    },
    journey,
  );

  test(
    "the chosen theme stands at the root of the page, and none while the system decides",
    async () => {
      const alice = await scene.person("alice");
      const watched = await scene.watched();
      const page = await watched.page("/settings/appearance", alice);
      await page.getByRole("heading", { name: "Appearance", exact: true }).waitFor();
      const theme = () => page.evaluate<string | null>("document.documentElement.getAttribute('data-theme')");
      await eventually(theme).toBe(null);
      for (const [name, value] of [
        ["Night", "dark"],
        ["High contrast", "contrast"],
        ["Paper", "light"],
        ["As the system", null],
      ] as const) {
        await page.getByRole("radio", { name, exact: true }).check({ force: true });
        await until(async () => (await theme()) === value, `the theme is not ${value}`);
      }
      await watched.close();
    },
    journey,
  );

  test(
    "a connection that is away has a status and a button above the composer; what waits is pending, what is refused has failed",
    async () => {
      const alice = await TestPerson.register({ url: scene.url }, "alice");
      const server = await alice.makeServer("The kitchen");
      const watched = await Watched.open(scene.browser, relay().origin);
      watched.allow(/net::ERR_|WebSocket connection to|status of 404/);
      const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
      const box = page.getByRole("textbox", { name: "Message #general", exact: true });
      await box.waitFor();
      relay().cut();
      const status = page.getByRole("status", { name: "Connection", exact: true });
      await status.waitFor();
      expect(
        await page.evaluate<number>(
          "document.querySelector('[aria-label=Connection]').compareDocumentPosition(document.querySelector('main textarea')) & Node.DOCUMENT_POSITION_FOLLOWING",
        ),
      ).toBe(4);
      await box.fill("said without a network");
      await box.press("Enter");
      const pending = page.locator("article[data-state=pending]");
      await pending.filter({ hasText: "said without a network" }).waitFor();
      relay().restore();
      await untilConnected(status);
      await page.locator("article[data-message-id]").filter({ hasText: "said without a network" }).waitFor();
      await eventually(() => pending.count()).toBe(0);

      await page.route("**/api/v1/channels/*/messages", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({ status: 404, json: { error: "It is not there.", code: "not_found" } })
          : route.continue(),
      );
      for (const text of ["to be sent again", "to be discarded"]) {
        await box.fill(text);
        await box.press("Enter");
      }
      const failed = page.locator("article[data-state=failed]");
      const again = failed.filter({ hasText: "to be sent again" });
      const away = failed.filter({ hasText: "to be discarded" });
      await away.getByRole("button", { name: "Discard", exact: true }).click();
      await away.waitFor({ state: "detached" });
      await page.unroute("**/api/v1/channels/*/messages");
      await again.getByRole("button", { name: "Send again", exact: true }).click();
      await page.locator("article[data-message-id]").filter({ hasText: "to be sent again" }).waitFor();
      await watched.close();
    },
    journey,
  );
});
