// Signing in, also again in the middle of a session, and with a new or forgotten password, by keyboard alone.
import { afterAll, test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { makeHouse } from "../house/open/engines.ts";
import { MailBox, tokenIn } from "../house/servers/mail-box.ts";
import { expectNoBarriers } from "./axe.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { keptText } from "./kept.ts";
import { press, type } from "./keyboard.ts";
import { inChromium, journey, type Scene } from "./scene.ts";
import { Watched } from "./watched.ts";

let box: MailBox;

/** One password in two Unicode forms, as keyboards differ. */
const oneSign = "eine ganz neue \u00dcberraschung";
const twoSigns = oneSign.normalize("NFD");

inChromium("signing in", journeys, async () => {
  box = await MailBox.open();
  return box.settings;
});

function journeys(scene: Scene): void {
  afterAll(() => box?.close());

  test(
    "what was typed to sign in stays: with a wrong password, without a network, after too many tries",
    async () => {
      const strict = await makeHouse("SQLite", { AVATAR_URL: "off", RATE_LIMITS: "on" });
      await strict.open();
      const alice = await strict.person("alice");
      const hers = await Watched.open(scene.browser, strict.url);
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
      await eventually(() => field.getAttribute("type")).toBe("text");
      await hers.context.setOffline(true);
      await press(page, "button", "Sign in");
      await page.getByText("cannot be reached").waitFor();
      await eventually(() => field.inputValue()).toBe("incorrect horse");
      await hers.context.setOffline(false);
      for (let i = 0; i < 4; i++) {
        const body = JSON.stringify({ email: alice.username, password: "incorrect horse" });
        const headers = { "Content-Type": "application/json" };
        await fetch(`${strict.url}/api/v1/auth/login/password`, { method: "POST", headers, body });
      }
      await press(page, "button", "Sign in");
      await page.getByText(/Wait \d+ ?s/).waitFor();
      await eventually(() => field.inputValue()).toBe("incorrect horse");
      await press(page, "link", "Forgot your password?");
      await page.getByText("This Hearth sends no mail. Ask one of its admins").waitFor();
      await expectNoBarriers(page);
      await hers.close();
      await strict.end();
    },
    journey,
  );

  test(
    "a forgotten password: a link comes by mail, sets a new one, and leads nowhere the second time",
    async () => {
      const emil = await scene.person("emil");
      const his = await scene.watched();
      his.allow(/status of 400/);
      const page = await his.page("/reset-password");
      await type(page, "E-mail", "emil");
      await page.keyboard.press("Enter");
      await page.getByText("An e-mail address looks like").waitFor();
      await page.getByRole("textbox", { name: "E-mail" }).fill(emil.email);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
      await expectNoBarriers(page);
      const link = `/reset-password#token=${tokenIn(await box.linkTo(emil.email))}`;
      await page.goto("about:blank");
      await page.goto(link);
      await type(page, "New password", "short");
      await page.keyboard.press("Enter");
      await page.getByText("Too short").waitFor();
      await expectNoBarriers(page);
      await page.getByRole("textbox", { name: "New password" }).fill(twoSigns);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
      await press(page, "button", "Sign in");
      await type(page, "E-mail or username", emil.email);
      await type(page, "Password", oneSign);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
      await page.goto("about:blank");
      await page.goto(link);
      await type(page, "New password", "yet another battery");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "This link has ended" }).waitFor();
      await his.close();
    },
    journey,
  );

  test(
    "a password of two signs a letter, from before it was normalised: in as it is typed, and then in either form",
    async () => {
      const gerd = await scene.person("gerd");
      const { database } = scene.house.running.house;
      const password_hash = await Bun.password.hash(twoSigns, {
        algorithm: "argon2id",
        memoryCost: 8,
        timeCost: 1,
      });
      await database.transaction((db) =>
        db.updateTable("users").set({ password_hash }).where("id", "=", gerd.id).execute(),
      );
      for (const password of [twoSigns, oneSign]) {
        const his = await scene.watched();
        const page = await his.page("/login");
        await type(page, "E-mail or username", gerd.username);
        await type(page, "Password", password);
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { name: "Where do you want to talk?" }).waitFor();
        await his.close();
      }
    },
    journey,
  );

  test(
    "a session that ends in the middle: one signs in where one is, and what was written is still there; not for others",
    async () => {
      const { alice, bob, general } = await scene.twoPeople("Home");
      const hers = await scene.watched();
      hers.allow(/status of 401/);
      const page = await hers.page("/", alice);
      const box = boxOf(page);
      await alice.say(general.id, "a secret between friends");
      await page.getByText("a secret between friends").waitFor();
      await box.fill("half a thought");
      await alice.post("/auth/logout");
      const dialog = page.getByRole("dialog", { name: "You were signed out" });
      await dialog.waitFor();
      await expectNoBarriers(page);
      // The device may be in other hands: only her own unsent text stays, nothing of the conversation.
      const nothingOfIt = async () => {
        await until(
          async () => !(await page.content()).includes("a secret between friends"),
          "what was said is still in the page",
        );
        await eventually(() => page.getByText("general").count()).toBe(0);
        await eventually(() => page.title()).toStartWith("You were signed out");
        await until(async () => !(await keptText(page)).includes("a secret between friends"), "it is kept");
      };
      await nothingOfIt();
      await page.keyboard.press("Escape");
      await page.getByText("You are signed out. Messages you have started writing are kept.").waitFor();
      await nothingOfIt();
      await expectNoBarriers(page);
      await press(page, "button", "Sign in");
      await dialog.getByRole("textbox", { name: "Password" }).fill(alice.password);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await page.getByText("a secret between friends").waitFor();
      await eventually(() => box.inputValue()).toBe("half a thought");
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
      await eventually(() => box.inputValue()).toBe("");

      // He signs out in another tab: this one signs out as well.
      const other = await hers.page("/");
      await press(other, "button", "You");
      await other.getByRole("menuitem", { name: "Sign out" }).press("Enter");
      await other.getByRole("heading", { name: "Welcome back" }).waitFor();
      await page.getByRole("heading", { name: "Welcome back" }).waitFor();
      await hers.close();
    },
    journey,
  );
}
