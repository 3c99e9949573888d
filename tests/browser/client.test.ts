// The client in a real browser: signs in by the cookie, gets events, reconnects, ends with the session.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { freePort } from "../house/machine/port.ts";
import { callFrom } from "./ceremonies.ts";
import { inChromium, journey } from "./scene.ts";

/** A page's use of the client: a copy that events update. */
const script = `
import { Connection } from "./client/connection.ts";
import { copyAfter, copyFrom } from "./client/copy.ts";
const seen = { states: [], types: [], copy: undefined };
new Connection({
  url: "ws://" + location.host + "/ws",
  onState: (state) => seen.states.push(state.is === "ended" ? state.why : state.is),
  onFrame: (frame) => {
    seen.types.push(frame.type);
    seen.copy = frame.type === "READY" ? copyFrom(frame.data) : copyAfter(seen.copy, frame);
  },
}).start();
globalThis.seen = seen;
`;

inChromium(
  "the client",
  (scene) => {
    test(
      "Alice, signed in by her cookie, keeps a copy that is true across a restart, until she signs out",
      async () => {
        const context = await scene.browser.newContext({ bypassCSP: true });
        const page = await context.newPage();
        await page.goto(scene.url);
        const account = {
          username: "alice",
          email: "alice@people.example",
          password: "correct horse battery",
        };
        await callFrom(page, "POST", "/auth/register", { ...account, display_name: "Alice" });
        await page.evaluate(await bundled());
        await untilSeen(page, `seen.states.join() === "connecting,live"`);
        const { body: made } = await callFrom<{ id: string }>(page, "POST", "/servers", { name: "Home" });
        await untilSeen(page, `seen.copy.servers[0]?.name === "Home"`);

        await scene.house.restart();
        await untilSeen(page, `seen.types.includes("RESUMED") && seen.states.at(-1) === "live"`);
        await callFrom(page, "PATCH", `/servers/${made.id}`, { name: "Hearth" });
        await untilSeen(page, `seen.copy.servers[0].name === "Hearth"`);
        expect(await page.evaluate(`seen.types.filter((type) => type === "READY").length`)).toBe(1);

        await callFrom(page, "POST", "/auth/logout");
        await untilSeen(page, `seen.states.at(-1) === "signed out"`);
        await context.close();
      },
      journey,
    );
  },
  async () => ({ PORT: String(await freePort()) }),
);

function untilSeen(page: Page, isSo: string): Promise<unknown> {
  return page.waitForFunction(`typeof seen === "object" && (${isSo})`, undefined, { timeout: 180_000 });
}

/** Bundles the script into a single file. */
async function bundled(): Promise<string> {
  const entry = `${import.meta.dir}/../../page.ts`;
  const { outputs } = await Bun.build({
    ...{ entrypoints: [entry], files: { [entry]: script } },
    ...{ target: "browser", format: "iife", minify: true },
  });
  return (await outputs[0]?.text()) ?? "";
}
