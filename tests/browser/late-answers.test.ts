// Answers that come late, when the person has gone on: they change nothing of what is done meanwhile, and nothing is lost.
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import type { Message } from "../../features/messages/contract.ts";
import { boxOf, kept } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { held, later } from "./held.ts";
import { barOf, inChromium, journey, rowOf, untilSo } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

inChromium("answers that come late", (scene) => {
  const field = (page: Page) => page.getByRole("textbox", { name: "Edit message" });

  async function edit(page: Page, message: Message): Promise<void> {
    await (await barOf(rowOf(page, message))).getByRole("button", { name: "Edit", exact: true }).click();
    await field(page).waitFor();
  }

  /** A page on a channel with two of Alice's messages, and the requests that correct the first one, held. */
  async function opened(...allowed: RegExp[]) {
    const { alice, server, general } = await scene.twoPeople();
    const first = await alice.say(general.id, "Soup");
    const second = await alice.say(general.id, "Bread");
    const { watched, page } = await scene.open(alice, server, withoutWorker, ...allowed);
    const asked = Promise.withResolvers<Route>();
    await page.route(`**/messages/${first.id}`, (route) => asked.resolve(route), { times: 1 });
    const textOf = async (message: Message) =>
      (await alice.get<Message>(`/messages/${message.id}`)).body.content;
    return { watched, page, first, second, asked: asked.promise, textOf };
  }

  test(
    "a correction that is saved while another one is written leaves that one open, with its text and the keys",
    async () => {
      const { watched, page, first, second, asked, textOf } = await opened();
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await edit(page, second);
      await field(page).fill("Bread and ");
      await route.continue();
      await rowOf(page, first).getByText("Soup with peas").waitFor();
      await page.keyboard.type("butter");
      expect(await field(page).inputValue()).toBe("Bread and butter");
      await page.keyboard.press("Enter");
      await field(page).waitFor({ state: "detached" });
      await eventually(() => textOf(second)).toBe("Bread and butter");
      expect(await textOf(first)).toBe("Soup with peas");
      await watched.close();
    },
    journey,
  );

  test(
    "a message that is corrected again before the answer to the first time keeps what is typed",
    async () => {
      const { watched, page, first, asked, textOf } = await opened();
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await page.keyboard.press("Escape");
      await field(page).waitFor({ state: "detached" });
      await edit(page, first);
      await field(page).fill("Soup with beans");
      const answer = page.waitForResponse((each) => each.url().endsWith(first.id));
      await route.continue();
      await (await answer).finished();
      await eventually(() => textOf(first)).toBe("Soup with peas");
      await page.keyboard.type("!");
      expect(await field(page).inputValue()).toBe("Soup with beans!");
      await page.keyboard.press("Enter");
      await eventually(() => textOf(first)).toBe("Soup with beans!");
      await watched.close();
    },
    journey,
  );

  test(
    "the answer to a correction takes no keys from the composer",
    async () => {
      const { watched, page, first, asked } = await opened();
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await boxOf(page).click();
      await page.keyboard.type("Who ");
      await route.continue();
      await field(page).waitFor({ state: "detached" });
      await page.keyboard.type("else?");
      await untilSo(
        page,
        "document.querySelector('main > * textarea:not([data-editing])')?.value === 'Who else?'",
      );
      await watched.close();
    },
    journey,
  );

  test(
    "a correction that fails when its field is gone is told, and is there with the next try",
    async () => {
      const { watched, page, first, second, asked } = await opened(/status of 403/);
      await edit(page, first);
      await field(page).fill("Soup with peas");
      await page.keyboard.press("Enter");
      const route = await asked;
      await edit(page, second);
      await route.fulfill({ status: 403, json: { error: "You may not write here.", code: "forbidden" } });
      await page
        .getByText("A correction was not saved, and is kept with its message. You may not write here.")
        .waitFor();
      await page.keyboard.press("Escape");
      await edit(page, first);
      expect(await field(page).inputValue()).toBe("Soup with peas");
      await watched.close();
    },
    journey,
  );

  test(
    "a message that was deleted right before signing out is deleted, though it could still be undone",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const said = await alice.say(general.id, "My password is swordfish");
      const { watched, page } = await scene.open(alice, server, withoutWorker, /status of 401/);
      await rowOf(page, said).focus();
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      // The time in which it could be undone does not end by itself.
      await page.getByRole("button", { name: "Undo" }).dispatchEvent("pointerover");
      await page.getByRole("button", { name: "You", exact: true }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
      expect((await bob.get(`/messages/${said.id}`)).status).toBe(404);
      await watched.close();
    },
    journey,
  );

  test(
    "a conversation or a channel that is there late takes nobody away from where they write by then",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      const asked = { server_id: server.id, name: "recipes", type: "text" };
      await alice.post("/channels", asked);
      await bob.say(general.id, "Hello");
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const write = async (text: string) => {
        await page.getByRole("link", { name: "recipes" }).click();
        await page.getByRole("textbox", { name: "Message #recipes" }).click();
        await page.keyboard.type(text);
      };
      const stays = async (text: string) => {
        await page.evaluate(later);
        await page.keyboard.type("!");
        await untilSo(
          page,
          `document.querySelector("main textarea")?.value === ${JSON.stringify(`${text}!`)}`,
        );
        await page.getByRole("main", { name: "recipes" }).waitFor();
        await page.getByRole("textbox", { name: "Message #recipes" }).fill("");
        await page.getByRole("link", { name: "general" }).click();
        await page.getByRole("textbox", { name: "Message #general" }).waitFor();
      };

      const opening = await held(page, "**/direct");
      await page.getByRole("article").getByRole("button", { name: "bob" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Message", exact: true }).click();
      await opening.asked;
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await write("Soup");
      await opening.answer();
      await stays("Soup");

      const creating = await held(page, "**/channels");
      await page.getByRole("button", { name: "Server menu" }).click();
      await page.getByRole("menuitem", { name: "Create channel" }).click();
      const dialog = page.getByRole("dialog", { name: "Create channel" });
      await dialog.getByRole("textbox", { name: "Name" }).fill("garden");
      await page.keyboard.press("Enter");
      await creating.asked;
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await write("Bread");
      await creating.answer();
      await page.getByRole("link", { name: "garden" }).waitFor();
      await stays("Bread");
      await watched.close();
    },
    journey,
  );

  test(
    "the answer for a dialog that was cancelled leaves the next one open",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const role = { name: "Helpers", permissions: 0, position: 10, color: "#b0562f" };
      await alice.post(`/servers/${server.id}/roles`, role);
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/servers/${server.id}/settings/members`, alice);
      const his = page
        .getByRole("list", { name: "Members" })
        .getByRole("listitem")
        .filter({ hasText: "bob" });
      const choose = async (name: string) => {
        await his.getByRole("button").last().click();
        await page.getByRole("menuitem", { name }).click();
      };
      const saving = await held(page, `**/members/${bob.id}/roles`);
      await choose("Roles");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("switch", { name: "Helpers" }).click();
      await dialog.getByRole("button", { name: "Save" }).click();
      await saving.asked;
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await choose("Ban");
      await dialog.getByRole("textbox").fill("Spam");
      await saving.answer();
      await page.evaluate(later);
      expect(await dialog.getByRole("textbox").inputValue()).toBe("Spam");
      await watched.close();
    },
    journey,
  );

  test(
    "a message that waits for its file goes out with the reply of its time, and one that failed is told elsewhere",
    async () => {
      const { alice, bob, server, general } = await scene.twoPeople();
      await alice.post("/channels", { server_id: server.id, name: "recipes", type: "text" });
      const said = await bob.say(general.id, "Who cooks?");
      const { watched, page } = await scene.open(alice, server, withoutWorker, /ERR_FAILED/);
      const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") };
      const upload = await held(page, "**/upload");
      await page.locator("input[type=file]").setInputFiles(file);
      await upload.asked;
      await boxOf(page).fill("My notes");
      await boxOf(page).press("Enter");
      await (await barOf(rowOf(page, said))).getByRole("button", { name: "Reply", exact: true }).click();
      await page.getByText("Replying to bob").waitFor();
      await upload.answer();
      const own = page.getByRole("article").filter({ hasText: "My notes" });
      await own.waitFor();
      const newest = async () =>
        (await bob.get<Message[]>(`/channels/${general.id}/messages?limit=1`)).body[0];
      await eventually(newest).toMatchObject({ content: "My notes", reply_to: null });
      await page.evaluate(later);
      await boxOf(page).fill("To bob");
      await boxOf(page).press("Enter");
      await eventually(newest).toMatchObject({ content: "To bob", reply_to: said.id });

      const failing = await held(page, "**/upload");
      await page.locator("input[type=file]").setInputFiles(file);
      await failing.asked;
      await boxOf(page).fill("More notes");
      await boxOf(page).press("Enter");
      await page.getByRole("link", { name: "recipes" }).click();
      await failing.fail();
      await page
        .getByText("A message was not sent: its files did not get through. It waits in its channel.")
        .waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a file that finishes while another channel is open is in its draft",
    async () => {
      const { alice, server } = await scene.twoPeople();
      await alice.post("/channels", { server_id: server.id, name: "recipes", type: "text" });
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      const upload = await held(page, "**/upload");
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("words") });
      await upload.asked;
      await page.getByRole("link", { name: "recipes" }).click();
      await page.getByRole("textbox", { name: "Message #recipes" }).waitFor();
      await upload.answer();
      await kept(page, "files[0]?.name === 'notes.txt'");
      await page.reload();
      await page.getByRole("link", { name: "general" }).click();
      await page.getByText("notes.txt").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a group's name that is typed on while it is being saved stays",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const carol = await scene.person("carol");
      await alice.bringIn(server.id, carol);
      const { body: group } = await alice.post<{ id: string }>("/direct", { user_ids: [bob.id, carol.id] });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/direct/${group.id}`, alice);
      await page.getByRole("button", { name: "People", exact: true }).click();
      const name = page.getByRole("textbox", { name: "Group name" });
      const saving = await held(page, `**/channels/${group.id}`);
      await name.fill("Soup");
      await page.keyboard.press("Enter");
      await saving.asked;
      await page.keyboard.type(" club");
      await saving.answer();
      await page.evaluate(later);
      expect(await name.inputValue()).toBe("Soup club");
      await watched.close();
    },
    journey,
  );

  /** A page on an event, with the requests of its reader's answers in their order; each waits for the test. */
  async function invitedToSoup(...allowed: RegExp[]) {
    const { alice, server } = await scene.twoPeople();
    const planned = { title: "Soup", starts_at: "2031-04-23T18:30:00.000Z" };
    const path = `/servers/${server.id}/events`;
    const { body: event } = await alice.post<{ id: string }>(path, planned);
    const watched = await scene.watched(withoutWorker);
    for (const complaint of allowed) watched.allow(complaint);
    const page = await watched.page(`/servers/${server.id}/settings/events`, alice);
    const first = Promise.withResolvers<Route>();
    await page.route(`**/events/${event.id}/rsvp`, (route) => first.resolve(route), { times: 1 });
    const answer = (name: string) => page.getByRole("button", { name, exact: true });
    const kept = async () => (await alice.get<{ my_rsvp: string | null }[]>(path)).body[0]?.my_rsvp;
    return { watched, page, event, first: first.promise, answer, kept };
  }

  test(
    "whoever changes their mind about an event before the answer to the first choice is heard",
    async () => {
      const { watched, page, first, answer, kept } = await invitedToSoup();
      await answer("Going 0").click();
      const route = await first;
      await answer("Maybe 0").click();
      await answer("Maybe 1").and(page.locator("[aria-pressed=true]")).waitFor();
      await route.continue();
      await eventually(kept).toBe("maybe");
      await answer("Maybe 1").and(page.locator("[aria-pressed=true]")).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a choice about an event that is refused goes back to the last one that was kept, unless another followed",
    async () => {
      const { watched, page, event, first, answer, kept } = await invitedToSoup(/status of 403/);
      const refusal = { status: 403, json: { error: "You may not say so.", code: "forbidden" } };
      await answer("Going 0").click();
      const route = await first;
      await answer("Maybe 0").click();
      await answer("Maybe 1").waitFor();
      await route.fulfill(refusal);
      await eventually(kept).toBe("maybe");
      await page.evaluate(later);
      await answer("Maybe 1").and(page.locator("[aria-pressed=true]")).waitFor();
      expect(await answer("Going 0").count()).toBe(1);
      await page.route(`**/events/${event.id}/rsvp`, (each) => each.fulfill(refusal), { times: 1 });
      await answer("Not going 0").click();
      await page.getByText("You may not say so.").waitFor();
      await answer("Maybe 1").and(page.locator("[aria-pressed=true]")).waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "a group's name that is changed again while it is being saved is saved, too, when its field is left",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const carol = await scene.person("carol");
      await alice.bringIn(server.id, carol);
      const { body: group } = await alice.post<{ id: string }>("/direct", { user_ids: [bob.id, carol.id] });
      const watched = await scene.watched(withoutWorker);
      const page = await watched.page(`/direct/${group.id}`, alice);
      await page.getByRole("button", { name: "People", exact: true }).click();
      const saving = await held(page, `**/channels/${group.id}`);
      await page.getByRole("textbox", { name: "Group name" }).fill("Soup");
      await page.keyboard.press("Enter");
      await saving.asked;
      await page.keyboard.type(" club");
      await page.keyboard.press("Tab");
      await saving.answer();
      const nameOf = async () => (await alice.get<{ name: string }>(`/channels/${group.id}`)).body.name;
      await eventually(nameOf).toBe("Soup club");
      await watched.close();
    },
    journey,
  );
});
