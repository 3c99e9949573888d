// The longest names and texts without a space: they are cut or broken in their place, and cover nothing else.
import { beforeAll, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "./eventually.ts";
import { untilLoaded } from "./routes.ts";
import { inChromium, journey } from "./scene.ts";

const long = (length: number, letter = "W") => letter.repeat(length);

/** Texts that overflow their part of the page without being clipped. */
const reachingOut = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const parts = "main, nav, aside, section, form, [role=dialog], [role=menu], [role=listbox]";
    const out = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      let part = text.parentElement.closest(parts);
      while (part && part.getClientRects().length === 0) part = part.parentElement.closest(parts);
      part ??= document.body;
      if (!text.data.trim() || !text.parentElement.checkVisibility()) continue;
      if (text.parentElement.closest(".visually-hidden, [aria-hidden=true]")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      let { left, right } = range.getBoundingClientRect();
      const edge = part.getBoundingClientRect();
      for (let each = text.parentElement; each && each !== part.parentElement; each = each.parentElement) {
        if (getComputedStyle(each).overflowX === "visible") continue;
        const cut = each.getBoundingClientRect();
        [left, right] = [Math.max(left, cut.left), Math.min(right, cut.right)];
      }
      const isOut = right > left && (right > edge.right + 1 || left < edge.left - 1 || right > innerWidth + 1);
      if (isOut) out.push(part.tagName + " " + (part.ariaLabel ?? "") + ": " + text.data.slice(0, 20) + " in " + text.parentElement.className);
    }
    return out;
  })()`);

inChromium("long names", (scene) => {
  /** A server with the longest possible names everywhere. */
  async function longTown() {
    const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
    const says = { display_name: long(64), status_text: long(128), bio: long(1000) };
    for (const each of [alice, bob]) await each.patch("/auth/me", says);
    const server = await alice.makeServer(long(100));
    await alice.bringIn(server.id, bob);
    const role = await alice.giveRole(server.id, bob, 0, 1);
    await alice.patch(`/servers/${server.id}/roles/${role.id}`, { name: long(100), color: "#aa3300" });
    const named = { server_id: server.id, name: long(100, "m"), category: long(100) };
    await alice.post("/channels", { ...named, type: "voice" });
    const channel = (await alice.post<{ id: string }>("/channels", named)).body;
    const starts_at = new Date(Date.now() + 86_400_000).toISOString();
    await alice.post(`/servers/${server.id}/events`, {
      title: long(100),
      description: long(900),
      starts_at,
    });
    await alice.post("/bots", { name: long(80), description: long(500) });
    await alice.post("/webhooks", { channel_id: channel.id, name: long(80) });
    const first = await bob.say(channel.id, long(4000));
    await alice.say(channel.id, `@${bob.username} https://example.org/${long(1800)}`, { reply_to: first.id });
    await bob.say(
      channel.id,
      `\`\`\`\n${long(2000)}\n\`\`\`\n\`${long(300)}\`\n> ${long(300)}\n- ${long(300)}`,
    );
    // The channel is not opened, so that it stays among the mentions.
    const calling = (await alice.post<{ id: string }>("/channels", named)).body;
    await bob.say(calling.id, `@${alice.username} ${long(300)}`);
    return { alice, bob, server, channel };
  }

  let town: Awaited<ReturnType<typeof longTown>>;
  beforeAll(async () => {
    town = await longTown();
  });

  for (const width of [1280, 360]) {
    test(
      `at ${width} pixels: the room, the lists beside it, what opens over it, and the settings`,
      async () => {
        const { alice, server, channel } = town;
        const watched = await scene.watched({ viewport: { width, height: 800 } });
        const page = await watched.page(`/servers/${server.id}/channels/${channel.id}`, alice);
        const isWide = width > 720;
        // A newly opened overlay may find its place some frames later.
        const look = (where: string) =>
          eventually(async () => (await reachingOut(page)).map((each) => `${where}: ${each}`)).toEqual([]);
        await page.locator("[data-message-id]").last().waitFor();
        await look("the room");
        if (isWide) {
          await page.getByRole("complementary", { name: "Members" }).locator("[data-person]").last().click();
          await page.getByRole("dialog").waitFor();
          await look("the card");
          await page.keyboard.press("Escape");
          await page.keyboard.press("Control+k");
          await page.getByRole("combobox", { name: "Go to" }).fill("m");
          await page.getByRole("option").first().waitFor();
          await look("the switcher");
          await page.keyboard.press("Escape");
        }
        const ofServer = (name: string) => `/servers/${server.id}/settings/${name}`;
        const saying = [
          `/servers/${server.id}`,
          `/servers/${server.id}/channels/${channel.id}?show=members`,
          "/?show=mentions",
          ...["roles", "members", "bots", "events"].map(ofServer),
          "/admin/people",
          "/admin/servers",
        ];
        const others = [
          ...["/settings/profile", "/settings/notifications", "/settings/devices"],
          ...["overview", "invites", "bans", "webhooks"].map(ofServer),
        ];
        for (const address of [...saying, ...others]) {
          await page.goto(address);
          await page.locator("main:visible, aside:visible, nav:visible").first().waitFor();
          await untilLoaded(page);
          if (saying.includes(address))
            await page
              .getByText(/W{60}|m{60}/)
              .locator("visible=true")
              .first()
              .waitFor();
          await look(address.replace(server.id, "…").replace(channel.id, "…"));
        }
        await watched.close();
      },
      journey,
    );
  }
});
