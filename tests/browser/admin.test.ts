// The console: what an instance's owner can see and do there, what an admin may not, and that others have none.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page, Route } from "playwright-core";
import type { Me } from "../../features/accounts/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { MailBox } from "../house/servers/mail-box.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { held, later } from "./held.ts";
import { hasFocus, inChromium, journey, type Scene } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

let box: MailBox;

inChromium("the console", journeys, async () => {
  box = await MailBox.open();
  return { REGISTRATION: "open", ...box.settings };
});

function journeys(scene: Scene): void {
  /** The owner of the instance: the first who registers. */
  let alice: TestPerson;

  beforeAll(async () => {
    alice = await scene.person("alice");
  });
  afterAll(() => box?.close());

  test(
    "Alice looks after health, storage and the name, and tries the mail; for Carol there is nothing",
    async () => {
      const carol = await scene.person("carol");
      const her = await scene.watched(withoutWorker);
      const stranger = await her.page("/admin/people", carol);
      await stranger.getByRole("heading", { name: "There is nothing here" }).waitFor();
      await her.close();

      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of (409|503)/);
      const page = await watched.page("/admin", alice);
      await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
      // Both work, but with a warning, so they are not ticked.
      const needing = page.getByText("2 parts need you: Public address and Notifications.");
      // On a busy machine a check may time out.
      await until(async () => {
        await page.getByRole("button", { name: "Look again" }).click();
        return needing.isVisible();
      }, "it is never so");
      await page.getByRole("button", { name: "Send a test mail" }).click();
      await page.getByText(`Sent to ${alice.email}.`).waitFor();
      expect(box.mails.map(({ to }) => to)).toEqual([[alice.email]]);
      box.refusals.push(550);
      await page.getByRole("button", { name: "Send a test mail" }).click();
      await page.getByText("The server failed.").waitFor();
      await page.getByRole("button", { name: "Send a test notification" }).click();
      await page.getByText("None of your browsers is subscribed to notifications.").waitFor();
      await expectNoBarriers(page);

      await page.getByRole("link", { name: "Storage", exact: true }).click();
      await page.getByText(/\d kB used, .* free on this disk\./).waitFor();
      await expectNoBarriers(page);

      await page.getByRole("link", { name: "Name and registration" }).click();
      await page.getByText("Set where the server was started.").waitFor();
      await page.getByRole("textbox", { name: "Name" }).fill("The lamp");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.getByRole("navigation", { name: "The lamp" }).waitFor();
      expect((await alice.get<{ name: string }>("/instance")).body.name).toBe("The lamp");
      await page.getByRole("link", { name: "Servers" }).click();
      await page.getByText("There is no server yet.").waitFor();
      await alice.makeServer("The kitchen");
      await page.reload();
      await page.getByRole("row", { name: /The kitchen.*alice/ }).waitFor();
      await expectNoBarriers(page);
      await watched.close();
    },
    journey,
  );

  test(
    "Alice finds Dora by name and by keyboard makes her an admin, signs her out, links her a new password, and closes her account",
    async () => {
      const dora = await scene.person("dora");
      for (let i = 0; i < 20; i++) await scene.person("crowd");
      const hers = await scene.watched(withoutWorker);
      hers.allow(/status of 401/);
      await hers.page("/", dora);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/admin/people", alice);
      await page.getByText("1 to 20").waitFor();
      await page.getByRole("button", { name: "Later" }).click();
      await page.getByText(/^21 to/).waitFor();
      const table = page.getByRole("table", { name: "Accounts" });
      await page.setViewportSize({ width: 1920, height: 1080 });
      await eventually(async () => (await table.boundingBox())?.width).toBe(960);
      await page.setViewportSize({ width: 1280, height: 720 });
      await expectNoBarriers(page);
      await find(page, dora.email);
      const row = page.getByRole("row", { name: /dora/ });
      const more = row.getByRole("button", { name: "More about dora" });

      await choose(page, more, "Make an admin");
      await row.getByRole("cell", { name: "Admin", exact: true }).waitFor();
      await choose(page, more, "Take the admin's rights");
      await row.getByRole("cell", { name: "Member", exact: true }).waitFor();

      await choose(page, more, "Create a reset link");
      await page.getByRole("button", { name: "Create the link" }).press("Enter");
      const link = await page.getByRole("textbox", { name: "Reset link" }).inputValue();
      expect(link).toMatch(/\/reset-password#token=.{20,}/);
      await page.getByText("You will not see this again.").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Done" }).press("Enter");
      await focused(page, "More about dora");

      await choose(page, more, "Disable the account");
      await page.getByRole("button", { name: "Disable dora" }).press("Enter");
      await row.getByText("Disabled").waitFor();
      await focused(page, "More about dora");
      expect((await dora.get("/auth/me")).status).toBe(401);
      await choose(page, more, "Enable the account");
      await row.getByText("Disabled").waitFor({ state: "detached" });
      await page.getByRole("searchbox", { name: "Find somebody" }).fill("nobody at all");
      await page.getByText("Nobody is called “nobody at all” here.").waitFor();
      await watched.close();
      await hers.close();
    },
    journey,
  );

  test(
    "Bob, an admin, is told beside what he did that another admin is not his to disable, and sees nothing of it on himself",
    async () => {
      const [bob, erin] = [await scene.person("bob"), await scene.person("erin")];
      await alice.patch(`/admin/users/${bob.id}`, { instance_role: "admin" });
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 403/);
      const page = await watched.page("/admin/people", bob);
      await find(page, erin.username);
      const more = page.getByRole("button", { name: "More about erin" });
      await choose(page, more, "Sign out everywhere");
      await page.getByRole("button", { name: "Sign erin out" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect((await erin.get("/auth/me")).status).toBe(401);

      // She became an admin meanwhile, which the list does not show yet.
      await alice.patch(`/admin/users/${erin.id}`, { instance_role: "admin" });
      await choose(page, more, "Disable the account");
      await page.getByRole("button", { name: "Disable erin" }).click();
      await page.getByText("Only the owner of the instance can do this to one of its admins.").waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();

      await find(page, bob.username);
      await page.getByRole("button", { name: "More about bob" }).click();
      await page.getByRole("menuitem", { name: "Badges" }).waitFor();
      await eventually(() => page.getByRole("menuitem").count()).toBe(1);
      await watched.close();
    },
    journey,
  );

  test(
    "a page of people is turned once, however often it is asked for before it is there",
    async () => {
      for (let i = 0; i < 45; i++) await scene.person("throng");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/admin/people", alice);
      await page.getByText("1 to 20").waitFor();
      const turn = async (name: string, other: string, address: RegExp) => {
        const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const route = async (each: Route) => {
          asked.resolve();
          await answer.promise;
          await each.continue();
        };
        await page.route(address, route, { times: 1 });
        await page.getByRole("button", { name, exact: true }).click();
        await asked.promise;
        await page.getByRole("button", { name: other, exact: true }).click();
        const there = page.waitForResponse(address);
        answer.resolve();
        await (await there).finished();
        await page.evaluate(later);
      };
      await turn("Later", "Later", /admin\/users\?limit=20&after=/);
      await page.getByText("21 to 40").waitFor();
      await turn("Earlier", "Later", /admin\/users\?limit=20$/);
      await page.getByText("1 to 20").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a badge that is typed is not lost, and the focus stays near one that is deleted",
    async () => {
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/admin/badges", alice);
      const name = page.getByRole("textbox", { name: "Name" });
      await name.fill("Early bird");
      await page.getByRole("textbox", { name: "Icon" }).fill("🐦");
      await page.getByRole("link", { name: "People" }).click();
      const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
      await leaving.getByRole("button", { name: "Stay here" }).click();

      const making = await held(page, "**/badges");
      await name.press("Enter");
      await making.asked;
      await name.fill("Owl");
      await making.answer();
      await page.getByRole("button", { name: "Delete Early bird" }).waitFor();
      expect(await name.inputValue()).toBe("Owl");

      await page.getByRole("button", { name: "Delete Early bird" }).click();
      await page.getByRole("button", { name: "Delete the badge" }).press("Enter");
      await page.getByText("There is no badge yet.").waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await eventually(() => hasFocus(page)).toBe(true);
      await watched.close();
    },
    journey,
  );

  test(
    "Alice makes a badge, after being told which field was wrong, gives it to Frank, and deletes it",
    async () => {
      const frank = await scene.person("frank");
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 400/);
      const page = await watched.page("/admin/badges", alice);
      await page.getByText("There is no badge yet.").waitFor();
      await page.getByRole("textbox", { name: "Name" }).fill("Early bird");
      await page.getByRole("textbox", { name: "Icon" }).fill("no emoji");
      await page.getByRole("switch", { name: "A colour of its own" }).click();
      await page.getByRole("radio", { name: "Violet" }).check();
      await page.getByRole("button", { name: "Create the badge" }).click();
      await page.getByText("must be one emoji or an http or https address").waitFor();
      await page.getByRole("textbox", { name: "Icon" }).fill("🐦");
      await page.getByRole("button", { name: "Create the badge" }).click();
      await page.getByRole("button", { name: "Delete Early bird" }).waitFor();
      await expectNoBarriers(page);

      await page.getByRole("link", { name: "People" }).click();
      await find(page, frank.username);
      await choose(page, page.getByRole("button", { name: "More about frank" }), "Badges");
      const bird = page.getByRole("switch", { name: "Early bird" });
      await eventually(() => bird.getAttribute("aria-checked")).toBe("false");
      await bird.click();
      await page.getByText("frank has Early bird now.").first().waitFor();
      const badges = async () => (await frank.get<Me>("/auth/me")).body.badges.map(({ name }) => name);
      await eventually(() => badges()).toEqual(["Early bird"]);
      await expectNoBarriers(page);
      await page.keyboard.press("Escape");
      await choose(page, page.getByRole("button", { name: "More about frank" }), "Badges");
      await eventually(() => bird.getAttribute("aria-checked")).toBe("true");
      await bird.click();
      await eventually(() => badges()).toEqual([]);
      await bird.click();
      await eventually(() => badges()).toEqual(["Early bird"]);
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Badges" }).click();
      await page.getByRole("button", { name: "Delete Early bird" }).click();
      await page.getByRole("button", { name: "Delete the badge" }).click();
      await page.getByText("There is no badge yet.").waitFor();
      await eventually(() => badges()).toEqual([]);
      await watched.close();
    },
    journey,
  );
}

/** Searches, and waits for the result: a later one would show changes made since. */
async function find(page: Page, text: string): Promise<void> {
  await page.getByRole("searchbox", { name: "Find somebody" }).fill(text);
  await page.getByText("1", { exact: true }).waitFor();
}

/** Opens a menu and chooses an item, by keyboard. */
async function choose(page: Page, opener: Locator, item: string): Promise<void> {
  await opener.press("Enter");
  await page.getByRole("menuitem", { name: item }).press("Enter");
}

/** Waits until the element of this name has the focus. */
async function focused(page: Page, name: string): Promise<void> {
  await page.locator(`[aria-label="${name}"]:focus`).waitFor();
}
