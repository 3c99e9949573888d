// Registering, by invites and with a passkey, by keyboard alone.
import { beforeAll, expect, test } from "bun:test";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { BuiltInKey } from "./chromium.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { press, type } from "./keyboard.ts";
import { inChromium, journey } from "./scene.ts";
import { Watched } from "./watched.ts";

const password = "correct horse battery";

inChromium("registering", (scene) => {
  let owner: TestPerson;
  beforeAll(async () => {
    owner = await scene.person("olga");
  });

  test(
    "Bob registers by an invite and is in; at a second one he joins; ended, unknown and forbidden ones are told apart",
    async () => {
      const kitchen = await owner.makeServer("The kitchen");
      const cellar = await owner.makeServer("The cellar");
      const [first, second, once] = await Promise.all([
        inviteTo(kitchen.id),
        inviteTo(cellar.id),
        inviteTo(cellar.id, { max_uses: 1 }),
      ]);
      const carol = await scene.person("carol");
      await carol.post(`/invites/${once}/join`);

      const his = await scene.watched();
      his.allow(/status of (403|404|410)/);
      const page = await his.page(`/invite/${first}`);
      await page.getByRole("heading", { name: "The kitchen", exact: true }).waitFor();
      await expectNoBarriers(page);
      await press(page, "link", "Create an account");
      await press(page, "button", "Create account");
      await page.getByText("Type your e-mail address.").waitFor();
      await type(page, "E-mail", "bob@people.example");
      await type(page, "Username", owner.username);
      await type(page, "Display name", "Bob");
      await type(page, "Password", "iloveyou");
      await page.getByText("Many people use this password").waitFor();
      await page.getByRole("textbox", { name: "Password" }).fill(password);
      his.allow(/status of 409/);
      await page.keyboard.press("Enter");
      await page.getByText("That username or e-mail address is taken.").waitFor();
      // With the space that a phone's keyboard adds.
      await page.getByRole("textbox", { name: "Username" }).fill("bobby ");
      await press(page, "button", "Create account");
      await page.getByRole("main", { name: "general" }).waitFor();
      expect(page.url()).toContain(kitchen.id);

      // The whole link, pasted.
      await press(page, "button", "Add a server");
      await page.getByRole("dialog").waitFor();
      await type(page, "Invite link or code", "not an invite");
      await page.keyboard.press("Enter");
      await page.getByText("That is no invite.").waitFor();
      await expectNoBarriers(page);
      await page
        .getByRole("textbox", { name: "Invite link or code" })
        .fill(`${scene.url}/invite/${second}?from=mail`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "The cellar" }).waitFor();
      await page.getByText("2 people talk here.").waitFor();
      await expectNoBarriers(page);
      await press(page, "button", "Join");
      await page.getByRole("main", { name: "general" }).waitFor();
      expect(page.url()).toContain(cellar.id);

      // As he is a member, the link opens the server.
      await page.goto(`/invite/${second}`);
      await page.getByRole("main", { name: "general" }).waitFor();
      await page.goto(`/invite/${once}`);
      await page.getByRole("heading", { name: "This invite has ended" }).waitFor();
      await page.goto("/invite/never-was");
      await page.getByRole("heading", { name: "There is no such invite" }).waitFor();
      await expectNoBarriers(page);
      const { body: bob } = await owner.get<{ user: { id: string; username: string } }[]>(
        `/servers/${kitchen.id}/members`,
      );
      const bobId = bob.find(({ user }) => user.username === "bobby")?.user.id;
      // The browser's saved state still contains him until READY, which comes after the invite here.
      await page.goto("about:blank");
      expect((await owner.put(`/servers/${kitchen.id}/bans/${bobId}`, {})).status).toBe(204);
      const answered = page.waitForResponse(new RegExp(`/invites/${first}$`));
      await page.routeWebSocket("**/ws", async (socket) => {
        await answered;
        socket.connectToServer();
      });
      await page.goto(`/invite/${first}`);
      await press(page, "button", "Join");
      await page.getByText(/banned/i).waitFor();
      await his.close();
    },
    journey,
  );

  test(
    "Dora makes a passkey when she registers, signs out, and is back by it; nothing of hers stayed in between",
    async () => {
      const local = scene.url.replace("127.0.0.1", "localhost");
      const hers = await Watched.open(scene.browser, local);
      hers.allow(/status of 401/);
      const page = await hers.page("/login");
      const key = await BuiltInKey.plugInto(page);
      await press(page, "link", "Create an account");
      await type(page, "E-mail", "dora@people.example");
      await type(page, "Username", "dora");
      await type(page, "Display name", "Dora");
      await type(page, "Password", password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Skip the password next time" }).waitFor();
      await expectNoBarriers(page);
      await key.recognisesOwner(false);
      await press(page, "button", "Create a passkey");
      await page.getByText("No passkey was created.").waitFor();
      await key.recognisesOwner(true);
      await press(page, "button", "Create a passkey");
      await page.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
      await eventually(() => key.ids()).toHaveLength(1);
      await expectNoBarriers(page);
      await type(page, "Name of the new server", "Dora's");
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "general" }).waitFor();

      const steps = page.getByRole("region", { name: "First steps" });
      await steps.waitFor();
      await expectNoBarriers(page);
      for (const name of ["Invite people", "Create a channel"]) {
        await press(page, "button", name);
        await page.locator("[role=dialog]:focus-within").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await steps.getByRole("button", { name }).and(page.locator(":focus")).waitFor();
      }
      await press(page, "button", "Say hello");
      const box = boxOf(page);
      await box.and(page.locator(":focus")).waitFor();
      await press(page, "button", "Hide these steps");
      await steps.waitFor({ state: "detached" });
      await box.and(page.locator(":focus")).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Here begins #general" }).waitFor();
      await eventually(() => steps.count()).toBe(0);

      await key.recognisesOwner(false);
      await press(page, "button", "You");
      await page.getByRole("menuitem", { name: "Sign out" }).press("Enter");
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();
      const kept = () => page.evaluate<string[]>("Object.keys(localStorage).sort()");
      const ofNobody = [
        "hearth.display-face",
        "hearth.instance",
        "hearth.owner",
        "hearth.signed-in",
        "hearth.signed-out",
      ];
      await eventually(async () => (await kept()).filter((key) => !ofNobody.includes(key))).toEqual([]);
      await expectNoBarriers(page);
      await press(page, "button", "Sign in with a passkey");
      await page.getByText("No passkey was used.").waitFor();
      await key.recognisesOwner(true);
      await press(page, "button", "Sign in with a passkey");
      await page.getByRole("main", { name: "general" }).waitFor();
      await hers.close();
    },
    journey,
  );

  async function inviteTo(serverId: string, more: object = {}): Promise<string> {
    const { body } = await owner.post<{ code: string }>("/invites", { server_id: serverId, ...more });
    return body.code;
  }
});
