// An invite's page: what it shows to people without an account, and what it does when its first answer changes.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { expectNoBarriers } from "./axe.ts";
import { boxOf, kept } from "./composing.ts";
import { inChromium, journey, type Scene } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

const create = (page: Page) => page.getByRole("link", { name: "Create an account" });
const signIn = (page: Page) => page.getByRole("link", { name: "Sign in" });

/** The browser of somebody who has no account yet. */
async function newcomer(scene: Scene, ...allowed: RegExp[]) {
  const watched = await scene.watched(withoutWorker);
  for (const each of [/status of 401/, ...allowed]) watched.allow(each);
  return watched;
}

inChromium("an invite's page", (scene) => {
  test(
    "tells people without an account where it leads, who asks and until when, and brings them in once they have one",
    async () => {
      const { bob, server } = await scene.twoPeople("The kitchen");
      const { code } = (await bob.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await newcomer(scene);
      const page = await watched.page(`/invite/${code}`);
      await page.getByRole("heading", { name: "The kitchen", exact: true }).waitFor();
      await page.getByText("You are invited. 2 people talk here.").waitFor();
      const sheet = page.getByRole("main");
      expect(await sheet.innerText()).toMatch(
        /Invited by\s+(b\s+)?bob\s+Good until\s+.*\((23|24) hours left\)/i,
      );
      expect(await page.title()).toContain("Invite to The kitchen");
      await expectNoBarriers(page);
      await signIn(page).waitFor();
      await create(page).click();
      const typed = { "E-mail": "carla@people.example", Username: "carla", "Display name": "Carla" };
      for (const [name, value] of Object.entries(typed))
        await page.getByRole("textbox", { name }).fill(value);
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("main", { name: "general" }).waitFor();
      expect(page.url()).toContain(server.id);
      await watched.close();
    },
    journey,
  );

  test(
    "says of a dead invite that it is one before anybody fills in a form, and opens another",
    async () => {
      const { alice, server } = await scene.twoPeople("The cellar");
      const asked = { server_id: server.id, max_uses: 1 };
      const { code } = (await alice.post<{ code: string }>("/invites", asked)).body;
      const live = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body.code;
      const watched = await newcomer(scene, /status of (404|410)/);
      const page = await watched.page(`/invite/${code}`);
      await page.getByRole("heading", { name: "The cellar", exact: true }).waitFor();
      await (await scene.person("dave")).post(`/invites/${code}/join`);
      await page.reload();
      await page.getByRole("heading", { name: "This invite has ended" }).waitFor();
      await expectNoBarriers(page);
      // It does not come up again after signing in.
      expect(await page.evaluate("sessionStorage.getItem('hearth.wanted')")).toBeNull();
      await page.goto("/invite/AAAAAAAAAAAAAAAA");
      await page.getByRole("heading", { name: "There is no such invite" }).waitFor();

      const field = page.getByRole("textbox", { name: "Invite link or code" });
      await field.fill("not an invite");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("That is no invite.").waitFor();
      await field.fill(`${scene.url}/invite/${live}`);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("heading", { name: "The cellar", exact: true }).waitFor();
      await create(page).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "offers no account where there are none to be had: without an invite, or at all",
    async () => {
      const { alice, server } = await scene.twoPeople("The attic");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await newcomer(scene, /status of 404/);
      const page = await watched.page("/invite/never-was");
      await create(page).waitFor();
      const shows = async (registration: string, path: string, hint: string, count: number) => {
        await watched.context.route("**/api/v1/instance", async (route) => {
          const answer = await route.fetch();
          await route.fulfill({ json: { ...(await answer.json()), registration } });
        });
        await page.goto(path);
        await signIn(page).waitFor();
        if (hint) await page.getByText(hint).waitFor();
        expect([registration, path, await create(page).count()]).toEqual([registration, path, count]);
      };
      await shows("invite", `/invite/${code}`, "", 1);
      await shows("invite", "/invite/never-was", "New accounts on this Hearth need an invite.", 0);
      await shows("closed", `/invite/${code}`, "This Hearth takes no new accounts.", 0);
      await watched.close();
    },
    journey,
  );

  test(
    "is asked for, or a new server, where somebody has none yet; they see themself as online there",
    async () => {
      const carol = await scene.person("carol");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/", carol);
      await page.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
      await page.getByRole("textbox", { name: "Invite that you were sent" }).waitFor();
      await page.getByText("Online", { exact: true }).waitFor();
      await watched.close();
    },
    journey,
  );

  for (const isOut of [false, true])
    test(
      `that met a limit shows the invite without a press, and asks no sooner than it may, ${isOut ? "signed out" : "signed in"}`,
      async () => {
        const { alice, server } = await scene.twoPeople("The kitchen");
        const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
        const watched = await newcomer(scene, /status of 429/);
        const answers: number[] = [];
        let end: number | undefined;
        await watched.context.route(`**/invites/${code}${isOut ? "/preview" : ""}`, async (route) => {
          end ??= Date.now() + 1000;
          const leftMs = end - Date.now();
          answers.push(leftMs > 0 ? 429 : 200);
          if (leftMs <= 0) return route.continue();
          const json = { error: "Too fast.", code: "rate_limited", retry_after: Math.ceil(leftMs / 1000) };
          await route.fulfill({ status: 429, json });
        });
        const carol = isOut ? undefined : await scene.person("carol");
        const page = await watched.page(`/invite/${code}`, carol);
        await page.getByRole("heading", { name: "The kitchen", exact: true }).waitFor();
        await (isOut ? create(page) : page.getByRole("button", { name: "Join", exact: true })).waitFor();
        expect(answers).toEqual([429, 200]);
        await watched.close();
      },
      journey,
    );

  test(
    "shows people without an account where it leads before there is a connection, and others that there is none",
    async () => {
      const { alice, server } = await scene.twoPeople("The shed");
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const watched = await newcomer(scene, /WebSocket/);
      const page = await watched.page("/login");
      await page.routeWebSocket("**/ws", (socket) => socket.close());
      await page.goto(`/invite/${code}`);
      await page.getByRole("heading", { name: "The shed", exact: true }).waitFor();
      await create(page).waitFor();
      const isIn = JSON.stringify({ userId: alice.id, at: Date.now() });
      await page.evaluate(`localStorage.setItem("hearth.signed-in", ${JSON.stringify(isIn)})`);
      await page.reload();
      await page.getByRole("heading", { name: "The server cannot be reached" }).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "names what is not sent yet before another account is taken, which loses it, and leads on to the invite",
    async () => {
      const { bob, server } = await scene.twoPeople("The barn");
      const { code } = (await bob.post<{ code: string }>("/invites", { server_id: server.id })).body;
      const carol = await scene.person("carol");
      const own = await carol.makeServer("Carol's");
      const watched = await newcomer(scene);
      const page = await watched.page(`/servers/${own.id}/channels/${own.general.id}`, carol);
      await boxOf(page).fill("half a letter");
      await kept(page, 'text === "half a letter"');
      await page.goto(`/invite/${code}`);
      const other = page.getByRole("button", { name: "Use another account" });
      await other.click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText("You have written something in a channel and not sent it.").waitFor();
      await dialog.getByRole("button", { name: "Stay" }).click();
      await dialog.waitFor({ state: "detached" });
      await other.click();
      await dialog.getByRole("button", { name: "Sign out and lose them" }).click();
      await page.getByText("Sign in, and the invite opens.").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "that is used up while it is looked at says so to whoever wanted to join",
    async () => {
      const { alice, server } = await scene.twoPeople("The kitchen");
      const asked = { server_id: server.id, max_uses: 1 };
      const { code } = (await alice.post<{ code: string }>("/invites", asked)).body;
      const watched = await scene.watched(withoutWorker);
      watched.allow(/status of 410/);
      const page = await watched.page(`/invite/${code}`, await scene.person("carol"));
      const join = page.getByRole("button", { name: "Join", exact: true });
      await join.waitFor();
      await (await scene.person("dave")).post(`/invites/${code}/join`);
      await join.click();
      await page.getByRole("heading", { name: "This invite has ended" }).waitFor();
      await watched.close();
    },
    journey,
  );
});

inChromium("where accounts need an invite", (scene) => {
  test(
    "an invite that has ended is told at its field: when it is left, and when it ends while the form is filled in",
    async () => {
      const { alice, server } = await scene.twoPeople("The pantry");
      const dave = await scene.person("dave");
      const make = async (more = {}) =>
        (await alice.post<{ code: string }>("/invites", { server_id: server.id, ...more })).body.code;
      const [once, withdrawn, live] = [await make({ max_uses: 1 }), await make(), await make()];
      await alice.delete(`/invites/${withdrawn}`);
      expect((await alice.put("/admin/settings", { registration: "invite" })).status).toBe(200);

      const watched = await newcomer(scene, /status of (403|404)/);
      const page = await watched.page("/register");
      const field = page.getByRole("textbox", { name: "Invite link or code" });
      const ended = page.getByText("This invite has ended. Ask for a new one.");
      await field.fill(withdrawn);
      await page.getByRole("textbox", { name: "E-mail" }).fill("erin@people.example");
      await ended.waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      await field.fill(once);
      await ended.waitFor({ state: "detached" });

      // An invite whose page led here is not asked for again, as long as it has not ended.
      await page.goto(`/invite/${once}`);
      await create(page).click();
      await page
        .getByText("With it you join The pantry, invited by alice, and arrive in its channel.")
        .waitFor();
      expect(await field.count()).toBe(0);
      await page.getByRole("textbox", { name: "E-mail" }).fill("erin@people.example");
      await page.getByRole("textbox", { name: "Username" }).fill("erin");
      await page.getByRole("textbox", { name: "Display name" }).fill("Erin");
      await page.getByRole("textbox", { name: "Password" }).fill("correct horse battery");
      await dave.post(`/invites/${once}/join`);
      await page.getByRole("button", { name: "Create account" }).click();
      await ended.waitFor();
      await field.and(page.locator(":focus")).waitFor();
      expect(await page.getByText(/invite_code/).count()).toBe(0);
      await expectNoBarriers(page);

      // Nothing that was typed is lost.
      await field.fill(live);
      await page.getByRole("button", { name: "Create account" }).click();
      await page.getByRole("main", { name: "general" }).waitFor();
      expect(page.url()).toContain(server.id);
      await watched.close();
    },
    journey,
  );
});

for (const [sends, hint] of [
  [true, "It brings back a lost password."],
  [false, "Admins can make you a link to a new password."],
] as const)
  inChromium(
    `where Hearth sends ${sends ? "mails" : "no mail"}, registering`,
    (scene) => {
      test(
        "says what the e-mail address is for here",
        async () => {
          await scene.person("olga");
          const watched = await newcomer(scene);
          const page = await watched.page("/register");
          const field = page.getByRole("textbox", { name: "E-mail" });
          await page.getByText(`Only you can see it. ${hint}`, { exact: true }).waitFor();
          expect(await field.getAttribute("aria-describedby")).toBeTruthy();
          await watched.close();
        },
        journey,
      );
    },
    (): Record<string, string> =>
      sends ? { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "hearth@people.example" } : {},
  );
