// Before the house: the first run, registering, signing in, invites and forgotten passwords, with the keyboard alone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { makeHouse, type TestHouse } from "../house/engines.ts";
import { MailBox, tokenIn } from "../house/mail-box.ts";
import type { TestPerson } from "../house/people.ts";
import { until } from "../house/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { BuiltInKey, chromiumPath, launchChromium } from "./chromium.ts";
import { Watched } from "./watched.ts";

const patienceMs = 180_000;
const here = chromiumPath ? "" : " (skipped: no Chromium here)";
const password = "correct horse battery";

/** Types into a field that has the focus already, or gets it by Tab. */
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole("textbox", { name: label, exact: true }));
  await page.keyboard.type(text);
}

/** Goes from control to control, as somebody without a mouse does. The focus is never nowhere. */
async function tabTo(page: Page, wanted: ReturnType<Page["locator"]>): Promise<void> {
  await wanted.waitFor();
  for (let presses = 0; presses < 40; presses++) {
    if ((await wanted.and(page.locator(":focus")).count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no Tab leads to ${wanted}`);
}

async function press(page: Page, role: "button" | "link", name: string): Promise<void> {
  await tabTo(page, page.getByRole(role, { name, exact: true }));
  await page.keyboard.press("Enter");
}

describe.skipIf(!chromiumPath)(`before the house in Chromium${here}`, () => {
  let browser: Browser;
  let house: TestHouse;
  let box: MailBox;
  let owner: TestPerson;

  beforeAll(async () => {
    browser = await launchChromium();
    box = await MailBox.open();
    house = await makeHouse("SQLite", { AVATAR_URL: "off", ...box.settings });
    await house.open();
    owner = await house.person("olga");
  }, patienceMs);
  afterAll(async () => {
    await browser?.close();
    await house?.end();
    await box?.close();
  }, patienceMs);

  test(
    "an empty Hearth opens on the page that makes its owner, at every address; the steps outlast a reload",
    async () => {
      const empty = await makeHouse("SQLite", { AVATAR_URL: "off" });
      await empty.open();
      const his = await Watched.open(browser, empty.url);
      const slow = await his.page("/login");
      await slow.getByRole("heading", { name: "Make this Hearth yours" }).waitFor();

      const hers = await Watched.open(browser, empty.url);
      const page = await hers.page("/servers/nothing/channels/yet");
      await page.getByRole("heading", { name: "Make this Hearth yours" }).waitFor();
      await expectNoBarriers(page);
      await type(page, "E-mail", "alice@people.example");
      await type(page, "Username", "al ice");
      await page.keyboard.press("Tab");
      await page.getByText("Use letters, digits, dots, dashes and underscores only.").waitFor();
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Control+a");
      await page.keyboard.type("alice");
      expect(await page.getByText("Use letters, digits").count()).toBe(0);
      await type(page, "Display name", "Alice");
      await type(page, "Password", password);
      await page.keyboard.press("Enter");

      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await expectNoBarriers(page);
      await page.getByRole("textbox", { name: "Name of this Hearth" }).fill("The lamp");
      await tabTo(page, page.getByRole("radio", { name: /^Everybody/ }));
      await page.keyboard.press("ArrowDown");
      await press(page, "button", "Go on");
      await page.getByRole("heading", { name: "A first server" }).waitFor();
      await type(page, "Server name", "The kitchen");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Bring people in" }).waitFor();
      const link = await page.getByRole("textbox", { name: "Invite link" }).inputValue();
      await expectNoBarriers(page);
      await press(page, "button", "Open The kitchen");
      await page.getByRole("main", { name: "general" }).waitFor();
      const settings = (await (await fetch(`${empty.url}/api/v1/instance`)).json()) as object;
      expect(settings).toMatchObject({ name: "The lamp", registration: "invite", setup: "done" });

      // Bob had the same page open, and comes back to it.
      await slow.evaluate("dispatchEvent(new Event('focus'))");
      await slow.getByRole("heading", { name: "Somebody was faster" }).waitFor();
      await press(slow, "button", "Sign in");
      await press(slow, "link", "Create an account");
      await type(slow, "Invite link or code", link);
      await type(slow, "E-mail", "bob@people.example");
      await type(slow, "Username", "bob");
      await type(slow, "Display name", "Bob");
      await type(slow, "Password", password);
      await slow.keyboard.press("Enter");
      await slow.getByRole("main", { name: "general" }).waitFor();
      await hers.close();
      await his.close();
      await empty.end();
    },
    patienceMs,
  );

  test(
    "where others can come, the owner needs the set-up code; a wrong one is named at its field",
    async () => {
      const far = await makeHouse("SQLite", { AVATAR_URL: "off", PUBLIC_URL: "https://lamp.example.org" });
      await far.open();
      const hers = await Watched.open(browser, far.url);
      hers.allow(/status of 403/);
      const page = await hers.page("/");
      await type(page, "Set-up code", "AAAA-BBBB-CCCC-DDDD");
      await type(page, "E-mail", "alice@people.example");
      await type(page, "Username", "alice");
      await type(page, "Display name", "Alice");
      await type(page, "Password", password);
      await page.keyboard.press("Enter");
      await page.getByText("This is not the set-up code").waitFor();
      await page.getByRole("textbox", { name: "Set-up code" }).fill((far.setupCode ?? "").toLowerCase());
      await press(page, "button", "Create account");
      await page.getByRole("heading", { name: "Who may come?" }).waitFor();
      await hers.close();
      await far.end();
    },
    patienceMs,
  );

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
      const carol = await house.person("carol");
      await carol.post(`/invites/${once}/join`);

      const his = await Watched.open(browser, house.url);
      his.allow(/status of (403|404|410)/);
      const page = await his.page(`/invite/${first}`);
      await page.getByRole("heading", { name: "You are invited" }).waitFor();
      await expectNoBarriers(page);
      await press(page, "link", "Create an account");
      await press(page, "button", "Create account");
      await page.getByText("Type your e-mail address.").waitFor();
      await type(page, "E-mail", "bob@people.example");
      await type(page, "Username", owner.username);
      await type(page, "Display name", "Bob");
      await type(page, "Password", password);
      his.allow(/status of 409/);
      await page.keyboard.press("Enter");
      await page.getByText("That username or e-mail address is taken.").waitFor();
      await page.getByRole("textbox", { name: "Username" }).fill("bobby");
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
        .fill(`${house.url}/invite/${second}?from=mail`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "The cellar" }).waitFor();
      await page.getByText("2 people talk here.").waitFor();
      await expectNoBarriers(page);
      await press(page, "button", "Join");
      await page.getByRole("main", { name: "general" }).waitFor();
      expect(page.url()).toContain(cellar.id);

      // He is a member: the link opens the server.
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
      expect((await owner.put(`/servers/${kitchen.id}/bans/${bobId}`, {})).status).toBe(204);
      await page.goto(`/invite/${first}`);
      await press(page, "button", "Join");
      await page.getByText(/banned/i).waitFor();
      await his.close();
    },
    patienceMs,
  );

  test(
    "Dora makes a passkey when she registers, signs out, and is back by it; nothing of hers stayed in between",
    async () => {
      const local = house.url.replace("127.0.0.1", "localhost");
      const hers = await Watched.open(browser, local);
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
      await press(page, "button", "Make a passkey");
      await page.getByText("No passkey was made.").waitFor();
      await key.recognisesOwner(true);
      await press(page, "button", "Make a passkey");
      await page.getByRole("heading", { name: "The page is blank" }).waitFor();
      expect(await key.ids()).toHaveLength(1);
      await expectNoBarriers(page);
      await type(page, "Name of the new server", "Dora's");
      await page.keyboard.press("Enter");
      await page.getByRole("main", { name: "general" }).waitFor();

      const steps = page.getByRole("region", { name: "First steps" });
      await steps.waitFor();
      await expectNoBarriers(page);
      for (const name of ["Invite people", "Make a channel"]) {
        await press(page, "button", name);
        await page.getByRole("dialog").waitFor();
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        await steps.getByRole("button", { name }).and(page.locator(":focus")).waitFor();
      }
      await press(page, "button", "Say hello");
      const box = page.getByRole("textbox", { name: "Message #general" });
      await box.and(page.locator(":focus")).waitFor();
      await press(page, "button", "Put these steps away");
      await steps.waitFor({ state: "detached" });
      await box.and(page.locator(":focus")).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Here begins #general" }).waitFor();
      expect(await steps.count()).toBe(0);

      await key.recognisesOwner(false);
      await press(page, "button", "You");
      await page.getByRole("menuitem", { name: "Sign out" }).press("Enter");
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();
      const kept = await page.evaluate<string[]>("Object.keys(localStorage).sort()");
      const ofNobody = ["hearth.display-face", "hearth.owner", "hearth.signed-in", "hearth.signed-out"];
      expect(kept.filter((key) => !ofNobody.includes(key))).toEqual([]);
      await expectNoBarriers(page);
      await press(page, "button", "Sign in with a passkey");
      await page.getByText("No passkey was used.").waitFor();
      await key.recognisesOwner(true);
      await press(page, "button", "Sign in with a passkey");
      await page.getByRole("main", { name: "general" }).waitFor();
      await hers.close();
    },
    patienceMs,
  );

  test(
    "what was typed to sign in stays: with a wrong password, without a network, after too many tries",
    async () => {
      const strict = await makeHouse("SQLite", { AVATAR_URL: "off", RATE_LIMITS: "on" });
      await strict.open();
      const alice = await strict.person("alice");
      const hers = await Watched.open(browser, strict.url);
      hers.allow(/status of (401|429)|ERR_INTERNET_DISCONNECTED/);
      const page = await hers.page("/login");
      const field = page.getByRole("textbox", { name: "Password" });
      await type(page, "E-mail or username", alice.username);
      await type(page, "Password", "incorrect horse");
      await field.dispatchEvent("keydown", { key: "A", bubbles: true, modifierCapsLock: true });
      await page.getByText("Caps lock is on.").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("That name and password do not match.").waitFor();
      await expectNoBarriers(page);
      await press(page, "button", "Show password");
      expect(await field.getAttribute("type")).toBe("text");
      await hers.context.setOffline(true);
      await press(page, "button", "Sign in");
      await page.getByText("cannot be reached").waitFor();
      expect(await field.inputValue()).toBe("incorrect horse");
      await hers.context.setOffline(false);
      for (let i = 0; i < 4; i++) {
        const body = JSON.stringify({ email: alice.username, password: "incorrect horse" });
        const headers = { "Content-Type": "application/json" };
        await fetch(`${strict.url}/api/v1/auth/login/password`, { method: "POST", headers, body });
      }
      await press(page, "button", "Sign in");
      await page.getByText(/Wait \d+ ?s/).waitFor();
      expect(await field.inputValue()).toBe("incorrect horse");
      await press(page, "link", "Forgot your password?");
      await page.getByText("This Hearth sends no mail. Ask one of its admins").waitFor();
      await expectNoBarriers(page);
      await hers.close();
      await strict.end();
    },
    patienceMs,
  );

  test(
    "a forgotten password: a link comes by mail, sets a new one, and leads nowhere the second time",
    async () => {
      const emil = await house.person("emil");
      const his = await Watched.open(browser, house.url);
      his.allow(/status of 400/);
      const page = await his.page("/reset-password");
      await type(page, "E-mail", "emil");
      await page.keyboard.press("Enter");
      await page.getByText("An e-mail address looks like").waitFor();
      await page.getByRole("textbox", { name: "E-mail" }).fill(emil.email);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
      await expectNoBarriers(page);
      const link = `/reset-password#token=${tokenIn(await box.mailTo(emil.email))}`;
      await page.goto("about:blank");
      await page.goto(link);
      await type(page, "New password", "short");
      await page.keyboard.press("Enter");
      await page.getByText("Too short").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("textbox", { name: "New password" }).fill("a quite new battery");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
      await press(page, "button", "Sign in");
      await type(page, "E-mail or username", emil.email);
      await type(page, "Password", "a quite new battery");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "The page is blank" }).waitFor();
      await page.goto("about:blank");
      await page.goto(link);
      await type(page, "New password", "yet another battery");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "This link has ended" }).waitFor();
      await his.close();
    },
    patienceMs,
  );

  test(
    "a session that ends in the middle: one signs in where one is, and what was written is still there; not for others",
    async () => {
      const [alice, bob] = [await house.person("alice"), await house.person("bob")];
      const home = await alice.makeServer("Home");
      await alice.bringIn(home.id, bob);
      const hers = await Watched.open(browser, house.url);
      hers.allow(/status of 401/);
      const page = await hers.page("/", alice);
      const box = page.getByRole("textbox", { name: "Message #general" });
      await box.fill("half a thought");
      await alice.post("/auth/logout");
      const dialog = page.getByRole("dialog", { name: "You were signed out" });
      await dialog.waitFor();
      await expectNoBarriers(page);
      await page.keyboard.press("Escape");
      await page.getByText("You are signed out. What you wrote is kept.").waitFor();
      expect(await box.inputValue()).toBe("half a thought");
      await press(page, "button", "Sign in");
      await dialog.getByRole("textbox", { name: "Password" }).fill(alice.password);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      expect(await box.inputValue()).toBe("half a thought");
      await box.press("Enter");
      const article = page.getByRole("article").filter({ hasText: "half a thought" });
      await article.waitFor();
      await page.locator("[data-state=pending]").waitFor({ state: "detached" });

      await box.fill("for Alice alone");
      await page.evaluate("fetch('/api/v1/auth/logout', { method: 'POST' })");
      await dialog.getByRole("textbox", { name: "E-mail or username" }).fill(bob.username);
      await dialog.getByRole("textbox", { name: "Password" }).fill(bob.password);
      await page.keyboard.press("Enter");
      const whose = () =>
        page.evaluate<string>('JSON.parse(localStorage.getItem("hearth.owner"))').catch(() => "");
      await until(async () => (await whose()) === bob.id, "the page is not Bob's");
      await box.waitFor();
      expect(await box.inputValue()).toBe("");

      // He signs out in another tab: this one leaves as well.
      const other = await hers.page("/");
      await press(other, "button", "You");
      await other.getByRole("menuitem", { name: "Sign out" }).press("Enter");
      await other.getByRole("heading", { name: "Welcome back" }).waitFor();
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();
      await hers.close();
    },
    patienceMs,
  );

  async function inviteTo(serverId: string, more: object = {}): Promise<string> {
    const { body } = await owner.post<{ code: string }>("/invites", { server_id: serverId, ...more });
    return body.code;
  }
});
