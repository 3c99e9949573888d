// Dialogs that were cancelled: neither the answers to their requests nor what was typed into them do anything later.
import { expect, test } from "bun:test";
import type { NotificationSettings } from "../../features/notifications/contract.ts";
import { pictureOf } from "../house/material/images.ts";
import { boxOf } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { held, later } from "./held.ts";
import { inChromium, journey, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("dialogs that were cancelled", (scene) => {
  test(
    "the answer for a webhook, or for its deletion, leaves the next dialog open with what is typed there",
    async () => {
      const { alice, server, general } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      const at = `/servers/${server.id}/channels/${general.id}/settings/webhooks`;
      const page = await watched.page(at, alice);
      const dialog = page.getByRole("dialog");
      const name = dialog.getByRole("textbox", { name: "Name" });
      const cancel = async () => {
        await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
      };
      const make = page.getByRole("button", { name: "New webhook" });
      const making = await held(page, "**/webhooks");
      await make.click();
      await name.fill("Bakery");
      await page.keyboard.press("Enter");
      await making.asked;
      await cancel();
      await make.click();
      await name.fill("Mill");
      await making.answer();
      const bakery = page.getByRole("button", { name: "Delete Bakery" });
      await bakery.waitFor();
      await page.evaluate(later);
      expect(await name.inputValue()).toBe("Mill");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Delete Mill" }).waitFor();
      await dialog.waitFor({ state: "detached" });
      await watched.close();
    },
    journey,
  );

  test(
    "a channel that is made after its dialog was cancelled is in the list, and not opened",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const creating = await held(page, "**/channels");
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Create channel" });
      await dialog.getByRole("textbox", { name: "Name" }).fill("garden");
      await page.keyboard.press("Enter");
      await creating.asked;
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await boxOf(page).click();
      await page.keyboard.type("Soup");
      await creating.answer();
      await page.getByRole("link", { name: "garden" }).waitFor();
      await page.evaluate(later);
      await page.getByRole("main", { name: "general" }).waitFor();
      await untilSo(page, "document.activeElement?.value === 'Soup'");
      await watched.close();
    },
    journey,
  );

  test(
    "a picture whose dialog is cancelled while it is sent is not put up",
    async () => {
      const { alice } = await scene.twoPeople();
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/profile", alice);
      await page.getByRole("button", { name: "Change picture" }).click();
      const dialog = page.getByRole("dialog", { name: "Change picture", exact: true });
      const buffer = await pictureOf("png", { width: 100, height: 80 });
      await dialog
        .locator("input[type=file]")
        .setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
      await dialog.getByRole("button", { name: "Square", exact: true }).waitFor();
      const sending = await held(page, "**/auth/me/avatar");
      await dialog.getByRole("button", { name: "Save", exact: true }).click();
      const route = await sending.asked;
      const ended = page.waitForEvent("requestfailed", (request) => request === route.request());
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await ended;
      await page.evaluate(later);
      expect((await alice.get<{ avatar: string | null }>("/auth/me")).body.avatar).toBeNull();
      await watched.close();
    },
    journey,
  );

  test(
    "a level for all servers that is cancelled goes to no further one",
    async () => {
      const { alice, server } = await scene.twoPeople();
      for (const name of ["Choir", "Mill"]) await alice.makeServer(name);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page("/settings/notifications", alice);
      await page.getByRole("button", { name: "For all servers" }).click();
      const dialog = page.getByRole("dialog", { name: "Notifications of all servers" });
      await dialog.getByRole("radio", { name: "Every message" }).click();
      const setting = await held(page, "**/servers/*/notification-settings");
      await dialog.getByRole("button", { name: "Set for all 3 servers" }).click();
      await setting.asked;
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await setting.answer();
      await page.getByText("Every message", { exact: false }).waitFor();
      await page.evaluate(later);
      const { body } = await alice.get<NotificationSettings>("/notification-settings");
      expect(body.servers.filter(({ level }) => level === "all")).toMatchObject([{ server_id: server.id }]);
      await watched.close();
    },
    journey,
  );

  test(
    "a server that is left slowly takes nobody away from where they have gone meanwhile",
    async () => {
      const { bob, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(bob, server, withoutWorker);
      const leaving = await held(page, "**/members/@me");
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Leave server" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Leave server" }).click();
      await leaving.asked;
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "You", exact: true }).click();
      await page.getByRole("menuitem", { name: "Settings" }).click();
      const field = page.getByRole("textbox", { name: "Display name" });
      await field.fill("Robert");
      await leaving.answer();
      await eventually(async () => (await bob.get<unknown[]>("/servers")).body).toHaveLength(0);
      await page.evaluate(later);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await field.inputValue()).toBe("Robert");
      await watched.close();
    },
    journey,
  );

  test(
    "the name that a deletion asks for is typed again each time",
    async () => {
      const { alice, server } = await scene.twoPeople("Bakery");
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/overview`, alice);
      const dialog = page.getByRole("dialog");
      const open = () => page.getByRole("button", { name: "Delete server" }).click();
      await open();
      await dialog.getByRole("textbox").fill("Bakery");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await open();
      expect(await dialog.getByRole("textbox").inputValue()).toBe("");
      await page.keyboard.press("Enter");
      await page.evaluate(later);
      await dialog.waitFor();
      expect((await alice.get<unknown[]>("/servers")).body).toHaveLength(1);
      await watched.close();
    },
    journey,
  );
});
