// Names of pictures, passkeys and webhooks are always text, also in their labels for screen readers.
import { expect, test } from "bun:test";
import { pictureOf } from "../house/material/images.ts";
import { BuiltInKey } from "./chromium.ts";
import { boxOf } from "./composing.ts";
import { expectHarmless, named, shows } from "./harmless.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { Watched } from "./watched.ts";

/** Without quotes, which browsers escape in file names. */
const pictureName = "<img src=x onerror=globalThis.hurt=1>.png";

inChromium("hostile text of things", (scene) => {
  test(
    "a picture's name is text: in the composer, in its row, over it, and where it cannot be shown",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, {}, /status of 404/);
      const picture = { name: pictureName, mimeType: "image/png", buffer: await pictureOf("png") };
      await page.locator("input[type=file]").setInputFiles(picture);
      await untilSo(page, shows(pictureName));
      await expectHarmless(page);
      await boxOf(page).press("Enter");

      const shown = page.locator("[data-message-id]").getByRole("button", { name: `Open ${pictureName}` });
      await shown.getByRole("img", { name: pictureName, exact: true }).waitFor();
      await expectHarmless(page);
      await shown.click();
      const over = page.getByRole("dialog", { name: "Pictures" });
      await over.getByRole("img", { name: pictureName, exact: true }).first().waitFor();
      await expectHarmless(page);
      await page.keyboard.press("Escape");
      await over.waitFor({ state: "detached" });

      await page.route("**/files/**", (route) => route.fulfill({ status: 404 }));
      await page.reload();
      await page.getByText(`${pictureName} cannot be shown.`, { exact: true }).waitFor();
      await expectHarmless(page);
      await watched.close();
    },
    journey,
  );

  test(
    "a passkey's name is text: in the list, in what is said of it, and in the question before it is removed",
    async () => {
      const bob = await scene.person("bob");
      const watched = await Watched.open(scene.browser, scene.url.replace("127.0.0.1", "localhost"));
      const page = await watched.page("/settings/sign-in", bob);
      await page.getByRole("heading", { name: "Password and passkeys", exact: true }).waitFor();
      await BuiltInKey.plugInto(page);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const name = named("key");
      await page.getByRole("textbox", { name: "Name of the passkey" }).fill(name);
      await page.getByRole("button", { name: "Create it now" }).click();
      await page.getByText(name, { exact: true }).waitFor();
      await expectHarmless(page);
      await page.getByRole("button", { name: `Remove ${name}`, exact: true }).click();
      await page.getByRole("heading", { name: `Remove the passkey “${name}”?`, exact: true }).waitFor();
      await expectHarmless(page);
      await watched.close();
    },
    journey,
  );

  test(
    "what a webhook calls itself is text, and the address of its picture is asked of this server alone",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const { body: webhook } = await alice.post<{ id: string; token: string }>(
        `/channels/${general.id}/webhooks`,
        { name: named("webhook") },
      );
      const avatar_url = 'https://x.invalid/a.png?"onerror="globalThis.hurt=1';
      const called = { content: "It is done", username: named("caller"), avatar_url };
      const { watched, page } = await scene.open(alice, server, {}, /status of (400|404|502)/);
      const asked = page.waitForRequest(/\/api\/v1\/pictures\?/);
      const posted = await alice.post(`/webhooks/${webhook.id}/${webhook.token}?wait=true`, called);
      expect(posted.status).toBe(200);
      await page.getByRole("article", { name: named("caller") }).waitFor();
      expect(new URL((await asked).url()).searchParams.get("url")).toBe(avatar_url);
      await expectHarmless(page);

      await page.goto(`/servers/${server.id}/settings/webhooks`);
      await page.getByRole("button", { name: `Delete ${named("webhook")}` }).click();
      await page.getByRole("dialog").waitFor();
      await untilSo(
        page,
        `document.querySelector("[role=dialog]").textContent.includes(${JSON.stringify(named("webhook"))})`,
      );
      await expectHarmless(page);
      await watched.close();
    },
    journey,
  );
});
