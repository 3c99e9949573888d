// Hearth on a home network, by a name without https: features that browsers reserve for https are replaced or left out.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import { makeHouse } from "../house/open/engines.ts";
import { plainName } from "./chromium.ts";
import { copiedText } from "./clipboard.ts";
import { boxOf, kept, standing, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { atPlainName, barOf, chooseAction, journey, rowOf } from "./scene.ts";
import { Watched } from "./watched.ts";

const note = { name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("words") };

atPlainName("the page", (scene) => {
  test(
    "one writes, answers, attaches, comes back to what one had begun, and copies",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const asked = await bob.say(general.id, "Is there soup?");
      const { watched, page } = await scene.open(alice, server, { permissions: ["clipboard-write"] });
      expect(await page.evaluate<boolean>("isSecureContext")).toBe(false);
      await write(page, "There is");
      await page.locator("[data-message-id]").filter({ hasText: "There is" }).waitFor();

      await boxOf(page).fill("Half a thought");
      await kept(page, 'text === "Half a thought"');
      await page.reload();
      await eventually(async () => (await standing(page)).text).toBe("Half a thought");
      const bar = await barOf(rowOf(page, asked));
      await bar.getByRole("button", { name: "Reply" }).click();
      await page.locator("input[type=file]").setInputFiles(note);
      await page.getByRole("button", { name: "Remove a.txt" }).waitFor();
      await boxOf(page).press("Enter");
      await page
        .locator("[data-message-id]")
        .filter({ hasText: "Half a thought" })
        .getByText("a.txt")
        .waitFor();
      await eventually(() => standing(page)).toMatchObject({ text: "" });
      type Said = { content: string; reply_to: string | null; attachments: unknown[] };
      const said = (await bob.get<Said[]>(`/channels/${general.id}/messages`)).body;
      expect(said.map(({ content }) => content)).toEqual(["Half a thought", "There is", "Is there soup?"]);
      expect(said[0]).toMatchObject({ reply_to: asked.id, attachments: [{ name: "a.txt" }] });

      await chooseAction(rowOf(page, asked), "Copy link");
      await eventually(() => copiedText(page)).toBe(
        `${scene.pageUrl}/servers/${server.id}/channels/${general.id}/messages/${asked.id}`,
      );
      await watched.close();
    },
    journey,
  );

  test(
    "what fails before a message is held leaves text, answer and file where they are, and says so",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const asked = await bob.say(general.id, "Is there soup?");
      const { watched, page } = await scene.open(alice, server, {}, /refused on purpose/);
      const bar = await barOf(rowOf(page, asked));
      await bar.getByRole("button", { name: "Reply" }).click();
      await page.locator("input[type=file]").setInputFiles(note);
      await page.getByRole("button", { name: "Remove a.txt" }).waitFor();
      await boxOf(page).fill("There is");
      await page.evaluate(`{
        crypto.getRandomValues = () => { throw new Error("refused on purpose"); };
      }`);
      await boxOf(page).press("Enter");
      await page.getByText("Not sent. What you wrote is still here; try again.").waitFor();
      const stays = async () => {
        expect((await standing(page)).text).toBe("There is");
        await page.getByText("Replying to bob").waitFor();
        await page.getByRole("button", { name: "Remove a.txt" }).waitFor();
      };
      await stays();
      await kept(page, 'text === "There is" && replyTo !== null && files.length === 1');
      await page.reload();
      await eventually(async () => (await standing(page)).text).toBe("There is");
      await stays();
      await boxOf(page).press("Enter");
      await page.locator("[data-message-id]").filter({ hasText: "There is" }).getByText("a.txt").waitFor();
      await eventually(() => standing(page)).toMatchObject({ text: "" });
      await watched.close();
    },
    journey,
  );

  test(
    "where Hearth has a safe address, signing in in clear leads there",
    async () => {
      const home = await makeHouse("SQLite", { PUBLIC_URL: "https://chat.example" });
      await home.open();
      await home.person("alice");
      const watched = await Watched.open(scene.browser, `http://${plainName}:${new URL(home.url).port}`);
      watched.allow(/status of 401/);
      const page = await watched.page("/login");
      const link = page.getByRole("link", { name: "chat.example" });
      expect(await link.getAttribute("href")).toBe("https://chat.example/login");
      await page.getByText("What you type here travels in clear").waitFor();
      expect(await page.getByRole("button", { name: /passkey/ }).count()).toBe(0);
      await watched.close();

      // On the machine itself nothing leads to localhost: the passkeys belong to the safe address.
      const own = await Watched.open(scene.browser, home.url);
      own.allow(/status of 401/);
      const ownPage = await own.page("/login");
      await ownPage.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await eventually(() => ownPage.getByRole("button", { name: /passkey/ }).count()).toBe(0);
      await own.close();
      await home.end();
    },
    journey,
  );

  test(
    "HOST=0.0.0.0 and the set-up code are enough: somebody at home becomes the owner, invites by a link that works there, and others come",
    async () => {
      const home = await makeHouse("SQLite", { AVATAR_URL: "off", HOST: "0.0.0.0", LOG_LEVEL: "silent" });
      await home.open();
      const url = `http://${plainName}:${new URL(home.url).port}`;
      const hers = await Watched.open(scene.browser, url);
      hers.allow(/status of 401/);
      const page = await hers.page("/");
      await page.getByRole("heading", { name: "Make this Hearth yours" }).waitFor();
      await page.getByRole("textbox", { name: "Set-up code" }).fill(home.setupCode ?? "");
      await fillAccount(page, "olga");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("textbox", { name: "Server name" }).fill("The kitchen");
      await page.getByRole("button", { name: "Create the server" }).click();
      const field = page.getByRole("textbox", { name: "Invite link" });
      await eventually(() => field.inputValue()).toStartWith(`${url}/invite/`);
      const link = await field.inputValue();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await eventually(() => copiedText(page)).toBe(link);
      await page.getByRole("button", { name: "Open The kitchen" }).click();
      await page.getByRole("main", { name: "general" }).waitFor();

      // Copying works in a dialog as well, which traps the focus.
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Invite people" }).click();
      await until(async () => (await field.inputValue()) !== link, "no other link comes");
      const another = await field.inputValue();
      expect(another).toStartWith(`${url}/invite/`);
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await eventually(() => copiedText(page)).toBe(another);
      expect(await page.getByText("Works on this computer only").count()).toBe(0);
      await page.getByRole("button", { name: "Done", exact: true }).click();

      const his = await Watched.open(scene.browser, url);
      his.allow(/status of 401/);
      const other = await his.page(new URL(another).pathname);
      await other.getByRole("link", { name: "Create an account" }).click();
      await fillAccount(other, "bob");
      await other.getByRole("button", { name: "Create account" }).click();
      await other.getByRole("main", { name: "general" }).waitFor();
      await write(other, "Here I am");
      await page.locator("[data-message-id]").filter({ hasText: "Here I am" }).waitFor();

      await expectLeftOut(other, false);
      await expectLeftOut(page, true);
      await page.getByRole("link", { name: "How to set it up" }).click();
      await page.getByRole("heading", { name: "Health", exact: true }).waitFor();
      await page.getByText(/needs? you: .*Public address/).waitFor();
      await page.getByText(/PUBLIC_URL is not set: .* browsers refuse passkeys, push, microphones/).waitFor();
      await his.context.clearCookies();
      await other.goto("/login");
      await other.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      await eventually(() => other.getByText(/passkey|or with your password/i).count()).toBe(0);
      for (const each of [hers, his]) await each.close();
      await home.end();
    },
    journey,
  );
});

async function fillAccount(page: Page, name: string): Promise<void> {
  await page.getByRole("textbox", { name: "E-mail" }).fill(`${name}@people.example`);
  await page.getByRole("textbox", { name: "Username" }).fill(name);
  await page.getByRole("textbox", { name: "Display name" }).fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
}

/** Features that cannot work here are not shown, except to admins, who see how to enable them. */
async function expectLeftOut(page: Page, isAdmin: boolean): Promise<void> {
  const ways = isAdmin ? 1 : 0;
  await page.goto("/settings/notifications");
  await page.getByRole("heading", { name: "Notifications", exact: true }).waitFor();
  await page.getByRole("switch").first().waitFor();
  await eventually(() => page.getByRole("link", { name: "How to set it up" }).count()).toBe(ways);
  await eventually(() => page.getByText("Notify me when Hearth is closed").count()).toBe(0);
  await page.goto("/settings/sign-in");
  await page.getByText("How you sign in.").waitFor();
  await eventually(() => page.getByRole("link", { name: "How to set it up" }).count()).toBe(ways);
  await eventually(() => page.getByRole("button", { name: "Add a passkey" }).count()).toBe(0);
}
