// A new password deletes passkeys: those that are chosen in the settings, or all of them with a link.
import { expect, test } from "bun:test";
import { makeLink } from "../../features/password-resets/access.ts";
import { TestBrowser } from "../house/people/browser.ts";
import { send } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";

inChromium(
  "passkeys of other devices",
  (scene) => {
    test(
      "one that was added since the settings were opened is shown and chosen with a new password; one added after that ends, too",
      async () => {
        const carol = await scene.person("carol");
        const stolen = new TestBrowser(scene.house);
        const add = async (name: string) =>
          expect((await stolen.register(carol, {}, { name })).status).toBe(201);
        const watched = await scene.watched();
        const page = await watched.page("/settings/sign-in", carol);
        await page.getByText("You have no passkey yet.").waitFor();

        await add("First");
        await page.getByLabel("Current password").fill(carol.password);
        await page.getByLabel("New password").fill("a sentence to remember");
        const ends = page.getByRole("switch", { name: "Remove “First”" });
        await ends.waitFor();
        await eventually(() => ends.getAttribute("aria-checked")).toBe("true");

        await add("Second");
        await page.getByLabel("New password").press("Enter");
        await page.getByText("Your password is changed.").first().waitFor();
        await page.getByText("You have no passkey yet.").waitFor();
        const login = { email: carol.username, password: "a sentence to remember" };
        const { headers } = await send(scene.house, undefined, "POST", "/auth/login/password", login);
        const token = headers.get("x-session-token") ?? "";
        const left = await send(scene.house, token, "GET", "/auth/webauthn/credentials");
        expect(left).toMatchObject({ status: 200, body: [] });
        await watched.close();
      },
      journey,
    );

    test(
      "a link for a new password deletes all passkeys where its page is told to, and none otherwise",
      async () => {
        const dave = await scene.person("dave");
        const key = new TestBrowser(scene.house);
        expect((await key.register(dave)).status).toBe(201);
        const watched = await scene.watched();
        for (const [isEnding, password, status] of [
          [false, "a sentence to remember", 200],
          [true, "another sentence to remember", 401],
        ] as const) {
          const made = await scene.house.running.house.write((unit) => makeLink(unit, dave.id));
          const page = await watched.page(`/reset-password${new URL(made?.url ?? "").hash}`);
          const removes = page.getByRole("switch", { name: "Remove all passkeys, too" });
          await removes.waitFor();
          expect(await removes.getAttribute("aria-checked")).toBe("false");
          if (isEnding) await removes.press("Space");
          await expectNoBarriers(page);
          await page.getByLabel("New password").fill(password);
          await page.getByLabel("New password").press("Enter");
          await page.getByRole("heading", { name: "Your password is set" }).waitFor();
          expect((await key.login()).status).toBe(status);
        }
        await watched.close();
      },
      journey,
    );
  },
  undefined,
  [],
  // Browsers have no passkeys for IP addresses.
  "localhost",
);
