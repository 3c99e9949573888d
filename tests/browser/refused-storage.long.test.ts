// A browser without storage: blocked storage throws at every access, full storage at every write.
import { test } from "bun:test";
import { until } from "../house/machine/waiting.ts";
import { asksBeforeClosing, boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, signIn } from "./scene.ts";

/** Storage in browsers that block it for a page. */
const refused = `
  for (const name of ["localStorage", "sessionStorage", "indexedDB"])
    Object.defineProperty(globalThis, name, { get() { throw new DOMException("refused", "SecurityError"); } });
`;
/** The database object exists, and opening it throws. */
const refusedLate = `
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(globalThis, name, { get() { throw new DOMException("refused", "SecurityError"); } });
  IDBFactory.prototype.open = () => { throw new DOMException("refused", "SecurityError"); };
  IDBFactory.prototype.databases = () => { throw new DOMException("refused", "SecurityError"); };
`;
/** As observed in browsers: requests to the database are never answered. */
const silent = `
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(globalThis, name, { get() { throw new DOMException("refused", "SecurityError"); } });
  IDBFactory.prototype.open = () => new EventTarget();
  IDBFactory.prototype.databases = () => new Promise(() => {});
`;
const absent = `
  for (const name of ["localStorage", "sessionStorage", "indexedDB"])
    Object.defineProperty(globalThis, name, { value: undefined });
`;
const full = `
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
`;

inChromium("a browser that keeps nothing", (scene) => {
  const ways = { refused, "refused when it is opened": refusedLate, full, absent, silent };
  for (const [how, script] of Object.entries(ways)) {
    test(
      `storage is ${how}: one signs in, is led to where one wanted, writes, opens settings and comes back, and signs out`,
      async () => {
        const alice = await scene.person("alice");
        const server = await alice.makeServer("The kitchen");
        const watched = await scene.watched();
        watched.allow(/status of 401/);
        await watched.context.addInitScript(script);
        const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`);
        await signIn(page, alice);
        await boxOf(page).waitFor();
        await boxOf(page).fill("kept by nobody");
        await boxOf(page).press("Enter");
        await page.locator("[data-message-id]").filter({ hasText: "kept by nobody" }).waitFor();
        await until(async () => !(await asksBeforeClosing(page)), "what was sent would be lost");

        await boxOf(page).fill("not said yet");
        await until(() => asksBeforeClosing(page), "closing the page would lose what is written");
        await page.getByRole("button", { name: "Settings", exact: true }).click();
        await page.getByRole("heading", { name: "Profile", exact: true }).waitFor();
        await page.getByRole("link", { name: "Appearance", exact: true }).click();
        await page.getByRole("radio", { name: "Night", exact: true }).check({ force: true });
        await until(
          async () => (await page.evaluate("document.documentElement.dataset.theme")) === "dark",
          "the night did not come",
        );
        await page.getByRole("button", { name: /^Close settings/ }).click();
        await boxOf(page).waitFor();
        await eventually(() => boxOf(page).inputValue()).toBe("not said yet");
        await boxOf(page).fill("");
        await until(async () => !(await asksBeforeClosing(page)), "nothing is left to be lost");

        await page.getByRole("button", { name: "You", exact: true }).click();
        await page.getByRole("menuitem", { name: "Sign out", exact: true }).click();
        await page.getByRole("textbox", { name: "E-mail or username" }).waitFor();
        await watched.close();
      },
      journey,
    );
  }
});
