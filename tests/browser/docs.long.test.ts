// The API documentation in a real browser: no violation of its policy, no foreign requests, and working "Try it out".
import { afterEach, beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { TestBot } from "../house/people/bots.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, patienceMs } from "./scene.ts";

inChromium("the description", (scene) => {
  let context: BrowserContext;
  let alice: TestPerson;

  beforeAll(async () => {
    alice = await scene.person("alice");
  }, patienceMs);
  afterEach(() => context.close(), patienceMs);

  /** Opens a page, and records its complaints and the hosts of its requests. */
  async function open(path: string) {
    context = await scene.browser.newContext();
    // Swagger UI renders a hundred operations, which takes time on a busy machine.
    context.setDefaultTimeout(180_000);
    const page = await context.newPage();
    const seen = { complaints: [] as string[], hosts: new Set<string>() };
    page.on("console", (message) => {
      // The browser requests a site icon, and there is none.
      const isIcon = message.location().url.endsWith("/favicon.ico");
      if (["error", "warning"].includes(message.type()) && !isIcon) seen.complaints.push(message.text());
    });
    page.on("pageerror", (error) => seen.complaints.push(String(error)));
    page.on("request", (request) => {
      const { host, protocol } = new URL(request.url());
      if (protocol !== "data:") seen.hosts.add(host);
    });
    await page.addInitScript(
      `addEventListener("securitypolicyviolation", (event) => console.error("refused: " + event.violatedDirective + " " + event.blockedURI));`,
    );
    await page.goto(scene.url + path);
    return { page, seen };
  }

  /** Returns the width of the page in a window of this width: larger if it scrolls sideways. */
  async function widthAt(page: Page, width: number): Promise<number> {
    await page.setViewportSize({ width, height: 800 });
    return page.evaluate<number>("document.documentElement.scrollWidth");
  }

  /** Scrolls by a part of a screen, until Swagger UI has drawn what comes into sight there. */
  const scrollTo = (page: Page, top: number) =>
    page.evaluate<number>(
      `new Promise((done) => { scrollTo(0, ${top}); requestAnimationFrame(() => requestAnimationFrame(() => done(document.documentElement.scrollHeight))); })`,
    );

  /** Returns the names of all operations, from top to bottom: Swagger UI draws those in sight alone. */
  async function shown(page: Page): Promise<Set<string>> {
    const names = new Set<string>();
    for (let top = 0, height = 1; top < height; top += 400) {
      height = await scrollTo(page, top);
      const ids = "[...document.querySelectorAll('.opblock')].map(({ id }) => id)";
      for (const id of await page.evaluate<string[]>(ids)) names.add(id);
    }
    return names;
  }

  /** Brings an operation into sight. */
  async function find(page: Page, operation: string) {
    const block = page.locator(`[id$="-${operation}"]`);
    for (let top = 0, height = 1; top < height && !(await block.count()); top += 400)
      height = await scrollTo(page, top);
    await block.scrollIntoViewIfNeeded();
    return block;
  }

  /** Opens an operation, presses "Try it out" and "Execute", and returns the status and the body of the answer. */
  async function tryOut(page: Page, operation: string): Promise<{ status: string; body: string }> {
    const block = await find(page, operation);
    if (!(await block.locator(".try-out").count())) await block.locator(".opblock-summary").click();
    if (!(await block.locator(".execute").count())) await block.locator(".try-out__btn").click();
    const answered = block.locator(".btn-clear");
    if (await answered.count()) await answered.click();
    await block.locator(".execute").click();
    const live = block.locator(".live-responses-table");
    const status = await live.locator("tbody .response-col_status").first().innerText();
    return {
      status: status.trim().slice(0, 3),
      body: await live.locator("tbody .microlight").first().innerText(),
    };
  }

  /** Enters a token in the dialog of Authorize, in place of any other. */
  async function authorize(page: Page, kind: string, token: string): Promise<void> {
    await scrollTo(page, 0);
    await page.locator(".authorize").first().click();
    const given = page.locator(".auth-container button", { hasText: "Logout" });
    if (await given.count()) await given.first().click();
    const container = page.locator(".auth-container", { hasText: kind });
    await container.locator("input").fill(token);
    await container.locator("button.authorize").click();
    await page.locator(".close-modal").click();
  }

  test(
    "Swagger UI shows every operation, breaks no policy, and asks no other host",
    async () => {
      const { page, seen } = await open("/docs/");
      await page.locator(".opblock").first().waitFor();
      const { paths } = (await (await fetch(`${scene.url}/docs/openapi.json`)).json()) as { paths: object };
      const operations = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
      await eventually(async () => (await shown(page)).size).toBe(operations);
      // Models, bodies with files, lists of errors: another part of Swagger UI renders each.
      for (const name of ["createMessage", "uploadFile", "listMessages", "register"]) {
        const block = await find(page, name);
        await block.locator(".opblock-summary").click();
        await block.locator(".responses-wrapper").waitFor();
      }
      await shown(page);
      await page.locator("section.models button").first().click();
      for (const width of [360, 768, 1280]) await eventually(() => widthAt(page, width)).toBe(width);
      await page.locator(".authorize").first().click();
      await page.locator(".modal-ux").waitFor();
      expect(seen.complaints).toEqual([]);
      expect([...seen.hosts]).toEqual([new URL(scene.url).host]);
    },
    journey,
  );

  test(
    "Alice, signed in by her cookie, tries out as herself, also what changes something; a token that is pasted counts in its place",
    async () => {
      const { page } = await open("/docs/");
      expect((await tryOut(page, "getMe")).status).toBe("401");
      const signedIn = await page.evaluate(
        `fetch("/api/v1/auth/login/password", { method: "POST", headers: { "Content-Type": "application/json" }, body: ${JSON.stringify(JSON.stringify({ email: alice.email, password: alice.password }))} }).then(({ status }) => status)`,
      );
      expect(signedIn).toBe(200);
      const me = await tryOut(page, "getMe");
      expect(me.status).toBe("200");
      expect(me.body).toContain(alice.email);
      expect((await tryOut(page, "setPresence")).status).toBe("204");

      const bob = await scene.person("bob");
      await alice.makeServer("The kitchen");
      expect((await tryOut(page, "listServers")).body).toContain("The kitchen");
      await authorize(page, "bearer", bob.token);
      expect((await tryOut(page, "getMe")).body).toContain(bob.email);
      const bot = await TestBot.make(bob);
      await authorize(page, "bot", `Bot ${bot.token}`);
      expect((await tryOut(page, "listServers")).body).toBe("[]");
    },
    journey,
  );

  test(
    "addresses of single things, from when all was one page, lead to where these are",
    async () => {
      const { page } = await open("/docs/#createMessage");
      await eventually(() =>
        page.evaluate<boolean>(
          `((at) => !!at && at.top < innerHeight && at.bottom > 0)(document.querySelector('[id$="-createMessage"].is-open')?.getBoundingClientRect())`,
        ),
      ).toBe(true);
      await page.goto(`${scene.url}/docs/#event-message_create`);
      await page.reload();
      await page.locator("#event-message_create").waitFor();
      expect(new URL(page.url()).pathname).toBe("/docs/gateway");
    },
    journey,
  );

  test(
    "the gateway's page breaks no policy, asks no other host, and fits a telephone",
    async () => {
      const { page, seen } = await open("/docs/gateway");
      await page.evaluate(`document.querySelectorAll("details").forEach((each) => { each.open = true; })`);
      for (const width of [360, 768, 1280]) await eventually(() => widthAt(page, width)).toBe(width);
      expect(seen.complaints).toEqual([]);
      expect([...seen.hosts]).toEqual([new URL(scene.url).host]);
    },
    journey,
  );

  test(
    "both pages have the face and the colours of the page, in the theme that was chosen there, and a way back to it",
    async () => {
      const { page } = await open("/login");
      const look = () =>
        page.evaluate<string>(
          `document.fonts.load("15px 'Atkinson Hyperlegible Next Variable'").then(([face]) => [getComputedStyle(document.body).fontFamily, face?.status, getComputedStyle(document.documentElement).getPropertyValue("--ink")].join())`,
        );
      const titles = () =>
        page.evaluate<boolean>(
          `[...document.fonts].some(({ family, status }) => family.includes("Literata") && status === "loaded")`,
        );
      const ofPage = await look();
      expect(ofPage).toContain(",loaded,");
      for (const path of ["/docs/", "/docs/gateway"]) {
        await page.goto(scene.url + path);
        expect(await look()).toBe(ofPage);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await eventually(titles).toBe(true);
        await page.evaluate(`localStorage.setItem("hearth.look", JSON.stringify({ theme: "dark" }))`);
        await page.reload();
        const scheme = () => page.evaluate<string>("getComputedStyle(document.documentElement).colorScheme");
        expect(await scheme()).toBe("dark");
        await page.evaluate("localStorage.clear()");
        await page.getByRole("link", { name: "Hearth", exact: true }).click();
        await page.waitForURL((url) => !url.pathname.startsWith("/docs"));
      }
    },
    journey,
  );

  test(
    "axe finds nothing in either page, besides what only the markup of Swagger UI itself could mend",
    async () => {
      const { page } = await open("/docs/gateway");
      await expectNoBarriers(page);

      await page.goto(`${scene.url}/docs/`);
      await page.locator(".opblock").first().waitFor();
      await page.getByRole("combobox", { name: "Server", exact: true }).waitFor();
      const block = await find(page, "getMe");
      await block.locator(".opblock-summary").click();
      await block.locator(".responses-wrapper").waitFor();
      // Buttons stand within the button of each operation, and its list is a main part of its own.
      await expectNoBarriers(page, [390, 1280], "html", [
        "nested-interactive",
        "landmark-main-is-top-level",
        "landmark-no-duplicate-main",
        "landmark-unique",
      ]);
    },
    journey,
  );
});
