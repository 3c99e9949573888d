// A permission that ends while in use: typed text stays where it is, with a sentence about the reason.
import { expect, test } from "bun:test";
import type { Role } from "../../features/roles/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { eventually } from "./eventually.ts";
import { chooseAction, hasFocus, inChromium, journey, rowOf } from "./scene.ts";

inChromium("a right that goes", (scene) => {
  /** Bob, with these permissions in a server of Alice's until she takes them away. */
  async function trusted(rights: number) {
    const { alice, bob, server, general } = await scene.twoPeople();
    const role = await alice.giveRole(server.id, bob, rights, 20);
    const lose = () => alice.patch(`/servers/${server.id}/roles/${role.id}`, { permissions: 0 });
    const watched = await scene.watched();
    watched.allow(/status of 403/);
    return { alice, bob, server, general, watched, lose };
  }

  test(
    "while Bob makes a channel: the dialog stays with its name, and says why",
    async () => {
      const { bob, server, general, watched, lose } = await trusted(permission.MANAGE_CHANNELS);
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, bob);
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Create channel" });
      await dialog.getByRole("textbox", { name: "Name" }).fill("a garden of roses");
      await lose();
      await dialog.getByRole("button", { name: "Create channel" }).click();
      await dialog
        .getByRole("status")
        .getByText(/permission/)
        .waitFor();
      // The field writes a name as channels have it.
      await eventually(() => dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe(
        "a-garden-of-roses",
      );
      await eventually(() => hasFocus(page)).toBe(true);
      await watched.close();
    },
    journey,
  );

  test(
    "while Bob deletes a message: its row is there again, and a line says why",
    async () => {
      const { alice, bob, server, general, watched, lose } = await trusted(permission.MANAGE_MESSAGES);
      const message = await alice.say(general.id, "It stays.");
      const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, bob);
      const lost = Promise.withResolvers<void>();
      // On the context: the worker, if there is one, makes the request, as the page may be left at that moment.
      await watched.context.route("**/bulk-delete", async (route) => {
        await lost.promise;
        await route.continue();
      });
      await chooseAction(rowOf(page, message), "Delete");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      await lose();
      lost.resolve();
      await page.getByText(/^The message is still there\. /).waitFor();
      await rowOf(page, message).waitFor();
      expect((await alice.get(`/messages/${message.id}`)).status).toBe(200);
      await watched.close();
    },
    journey,
  );

  test(
    "while Bob changes a role: what he typed can still be read and copied",
    async () => {
      const { alice, bob, server, watched, lose } = await trusted(permission.MANAGE_SERVER);
      await alice.post<Role>(`/servers/${server.id}/roles`, { name: "Cooks", permissions: 0, position: 5 });
      const page = await watched.page(`/servers/${server.id}/settings/roles`, bob);
      await page.getByRole("grid", { name: "Roles" }).getByRole("row").filter({ hasText: "Cooks" }).click();
      const name = page.getByRole("textbox", { name: "Name" });
      await name.fill("Cooks of the evening");
      await lose();
      await page.getByRole("button", { name: "Save changes" }).click();
      await page
        .getByText(/permission|may not/)
        .first()
        .waitFor();
      await eventually(() => name.inputValue()).toBe("Cooks of the evening");
      await eventually(() => hasFocus(page)).toBe(true);
      await watched.close();
    },
    journey,
  );
});
