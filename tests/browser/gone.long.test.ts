// A channel, a permission, a membership or an account ends while in use; unsent text is kept.
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, patienceMs, untilSo } from "./scene.ts";

inChromium("what is taken away", (scene) => {
  /** The first account, which owns the instance. */
  let olga: TestPerson;

  beforeAll(async () => {
    olga = await scene.person("olga");
  }, patienceMs);

  const box = (page: Page, channel: string) => page.getByRole("textbox", { name: `Message #${channel}` });
  const left = (page: Page) => page.getByRole("textbox", { name: "What you had written here" });

  /** Alice's village with a garden, and Bob on its page with an unsent text. */
  async function writing() {
    const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
    const server = await alice.makeServer("The village");
    const garden = (await alice.post<Channel>("/channels", { server_id: server.id, name: "garden" })).body;
    await alice.bringIn(server.id, bob);
    const watched = await scene.watched();
    const page = await watched.page(`/servers/${server.id}/channels/${garden.id}`, bob);
    await box(page, "garden").fill("a long letter about roses");
    // The list is requested once the page is drawn: still under way when Bob is removed, it would be refused.
    await page.getByRole("complementary", { name: "Members" }).getByText("alice").waitFor();
    return { alice, bob, server, garden, watched, page };
  }

  test(
    "the channel is deleted while Bob writes: it says so, his words are there to copy, and can be thrown away",
    async () => {
      const { alice, garden, watched, page } = await writing();
      await alice.delete(`/channels/${garden.id}`);
      await page.getByRole("heading", { name: "#garden is not here any more" }).waitFor();
      await untilSo(page, focusedText("#garden is not here any more"));
      await eventually(() => left(page).inputValue()).toBe("a long letter about roses");
      await expectNoBarriers(page);
      // The text survives a reload as well; by then the name of the channel is unknown.
      await page.reload();
      await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
      await eventually(() => left(page).inputValue()).toBe("a long letter about roses");
      await page.getByRole("button", { name: "Throw it away" }).click();
      await left(page).waitFor({ state: "detached" });
      await page.getByRole("link", { name: "Back to your servers" }).click();
      await box(page, "general").waitFor();
      await watched.close();
    },
    journey,
  );

  test(
    "the card of somebody who left says so only where the server does",
    async () => {
      const { alice, bob, server } = await scene.twoPeople("The village");
      await bob.say(server.general.id, "so long");
      await bob.delete(`/servers/${server.id}/members/@me`);
      const { watched, page } = await scene.open(alice, server, {}, /net::ERR_FAILED|status of 40/);
      const one = new RegExp(`/users/${bob.id}$`);
      await page.route(one, (route) => route.abort());
      const name = page.getByRole("article").getByRole("button", { name: "bob" });
      await name.click();
      const card = page.getByRole("dialog");
      await card.getByText("The server cannot be reached.", { exact: false }).waitFor();
      expect(await card.getByText("shares no server with you").count()).toBe(0);
      await page.keyboard.press("Escape");
      await page.unroute(one);
      await name.click();
      await card.getByText("shares no server with you").waitFor();
      await watched.close();
    },
    journey,
  );

  for (const way of ["kicked", "banned"] as const) {
    test(
      `Bob is ${way} while he writes: he is told where he is not any more, and keeps his words`,
      async () => {
        const { alice, bob, server, watched, page } = await writing();
        const member = `/servers/${server.id}/members/${bob.id}`;
        const done =
          way === "kicked"
            ? await alice.delete(member)
            : await alice.put(`/servers/${server.id}/bans/${bob.id}`, { reason: "roses" });
        expect(done.status).toBe(204);
        await page.getByRole("heading", { name: "You are not in The village any more" }).waitFor();
        await untilSo(page, focusedText("You are not in The village any more"));
        await eventually(() => left(page).inputValue()).toBe("a long letter about roses");
        await page.getByRole("link", { name: "Back to your servers" }).click();
        await page.getByRole("button", { name: "Create the server" }).waitFor();
        await watched.close();
      },
      journey,
    );
  }

  test(
    "the right to write goes while Bob writes: he reads who can give it, keeps his words, and goes on when it is back",
    async () => {
      const { alice, server, watched, page } = await writing();
      const without = server.everyone.permissions & ~permission.SEND_MESSAGES;
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, { permissions: without });
      await page.getByText("You can read #garden but not write here.").waitFor();
      await eventually(() => left(page).inputValue()).toBe("a long letter about roses");
      await expectNoBarriers(page);
      await alice.patch(`/servers/${server.id}/roles/${server.everyone.id}`, {
        permissions: server.everyone.permissions,
      });
      await box(page, "garden").waitFor();
      await eventually(() => box(page, "garden").inputValue()).toBe("a long letter about roses");
      await alice.patch(`/servers/${server.id}`, { name: "The hamlet" });
      await page.getByRole("link", { name: /^The hamlet/ }).waitFor();
      await watched.close();
    },
    journey,
  );

  /** Bob has begun to edit a message of his. */
  async function correcting() {
    const scene = await writing();
    const { bob, garden, page } = scene;
    await box(page, "garden").fill("");
    const said = await bob.say(garden.id, "roses are blue");
    const row = page.locator(`[data-message-id="${said.id}"]`);
    await row.waitFor();
    await box(page, "garden").press("ArrowUp");
    await row.getByRole("textbox").fill("roses are red, and");
    return { ...scene, said, row };
  }

  test(
    "a message is deleted while its writer corrects it: the correction is in the composer; a reload keeps one, too",
    async () => {
      const { bob, said, row, watched, page } = await correcting();
      await page.reload();
      await row.waitFor();
      await box(page, "garden").press("ArrowUp");
      await eventually(() => row.getByRole("textbox").inputValue()).toBe("roses are red, and");
      await bob.delete(`/messages/${said.id}`);
      await page.getByText("What you typed is in the field below.").waitFor();
      await eventually(() => box(page, "garden").inputValue()).toBe("roses are red, and");
      await watched.close();
    },
    journey,
  );

  for (const [when, isAway] of [
    ["while the page was away", true],
    ["while another channel is open", false],
  ] as const)
    test(
      `a message is deleted ${when}: the correction that was left of it is in the field of its own channel`,
      async () => {
        const { bob, server, said, watched, page } = await correcting();
        const general = `/servers/${server.id}/channels/${server.general.id}`;
        watched.allow(/status of 404/);
        const left = "JSON.stringify(Object.entries(sessionStorage)).includes('roses are red')";
        await box(page, "garden").fill("about lilies");
        if (isAway) {
          const here = page.url();
          await page.goto("about:blank");
          await bob.delete(`/messages/${said.id}`);
          await page.goto(new URL(general, here).href);
        } else {
          await page.goto(new URL(general, page.url()).href);
          await box(page, "general").waitFor();
          await eventually(() => page.evaluate<boolean>(left)).toBe(true);
          await bob.delete(`/messages/${said.id}`);
        }
        await page.getByText("What you typed is in the field of its channel.").waitFor();
        expect(await page.evaluate<boolean>(left)).toBe(false);
        await page.getByRole("link", { name: "garden" }).click();
        await eventually(() => box(page, "garden").inputValue()).toBe("about lilies\n\nroses are red, and");
        await watched.close();
      },
      journey,
    );

  test(
    "the account is closed by the operator while Bob writes: he is asked to sign in, told why he cannot, and his words stay",
    async () => {
      const { bob, watched, page } = await writing();
      watched.allow(/status of 40[13]/);
      expect((await olga.patch(`/admin/users/${bob.id}`, { disabled: true })).status).toBe(200);
      const dialog = page.getByRole("dialog", { name: "You were signed out" });
      await dialog.getByRole("textbox", { name: "Password", exact: true }).fill(bob.password);
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
      await dialog
        .getByText(/closed|disabled/i)
        .first()
        .waitFor();
      await olga.patch(`/admin/users/${bob.id}`, { disabled: false });
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await eventually(() => box(page, "garden").inputValue()).toBe("a long letter about roses");
      await box(page, "garden").press("Enter");
      await page.locator("[data-message-id]").filter({ hasText: "roses" }).waitFor();
      await watched.close();
    },
    journey,
  );
});

/** A condition in the page: the element with this text has the focus. */
function focusedText(text: string): string {
  return `document.activeElement?.textContent === ${JSON.stringify(text)}`;
}
