// Parts of the page's program that cannot be had when they are wanted: what was wanted is said, or done later, and nothing is stuck.
import { expect, test } from "bun:test";
import { eventually } from "./eventually.ts";
import { inChromium, journey } from "./scene.ts";
import { Watched } from "./watched.ts";

inChromium("parts out of reach", (scene) => {
  test(
    "the browser's part of passkeys: each press is answered, and makes one as soon as it can",
    async () => {
      const alice = await scene.person("alice");
      const watched = await Watched.open(scene.browser, scene.url.replace("127.0.0.1", "localhost"), {
        serviceWorkers: "block",
      });
      watched.allow(/net::ERR_FAILED|registration blocked/);
      const part = /\/assets\/esm-/;
      await watched.context.route(part, (route) => route.abort());
      const page = await watched.page("/settings/sign-in", alice);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const dialog = page.getByRole("dialog", { name: "Add a passkey" });
      const make = dialog.getByRole("button", { name: "Make it now" });
      await make.click();
      await dialog.getByText("The server cannot be reached.", { exact: false }).waitFor();
      await watched.context.unroute(part);
      const asked = page.waitForRequest(/webauthn\/register\/begin/);
      await make.click();
      await asked;
      await watched.close();
    },
    journey,
  );

  test(
    "the words of another language: it is spoken once they are there, unless the reader chose again",
    async () => {
      const alice = await scene.person("alice");
      const watched = await scene.watched({ serviceWorkers: "block" });
      watched.allow(/net::ERR_FAILED|registration blocked/);
      const german = /\/assets\/(\w+\.)?de-[^/]+\.js/;
      await watched.context.route(german, (route) => route.abort());
      const page = await watched.page("/settings/language", alice);
      const refused = page.waitForEvent("requestfailed");
      await page.getByRole("radio", { name: "Deutsch" }).check({ force: true });
      await refused;
      expect(await page.getByRole("heading", { name: "Language" }).count()).toBe(1);
      await watched.context.unroute(german);
      await page.getByRole("heading", { name: "Sprache", exact: true }).waitFor();
      await eventually(() => page.evaluate<string>("document.documentElement.lang")).toBe("de");
      await watched.close();
    },
    journey,
  );
});
