// Everything that people write is shown as text: none of it is executed or causes a request.
import { afterAll, beforeAll, test } from "bun:test";
import { GifProviderDouble } from "../doubles/gif-provider.ts";
import { TestBot } from "../house/people/bots.ts";
import { upload } from "../house/scenes/files.ts";
import { expectHarmless, named, shows } from "./harmless.ts";
import { addresses, type Furnished, somewhere, untilShown } from "./routes.ts";
import { inChromium, journey, type Scene, untilSo } from "./scene.ts";

const gifs = new GifProviderDouble();

const hostilePictures = [
  ["no address at all", "javascript:globalThis.hurt=1//.gif"],
  ["a script in the address", 'https://x.invalid/a.gif?"><img src=x onerror=globalThis.hurt=1>.gif'],
  ["data for an address", "data:text/html,<script>globalThis.hurt=1</script>"],
] as const;

inChromium(
  "hostile text",
  (scene) => {
    let furnished: Furnished;
    beforeAll(async () => {
      // Alice is the first account of the house, and owns the instance.
      furnished = await somewhere(scene);
    });

    test(
      "Whatever is written anywhere, it is text: in messages, names, files, webhooks, servers and channels",
      async () => {
        const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
        const evil = `"><img src=x onerror="globalThis.hurt=1"><script>globalThis.hurt=1</script>`;
        const server = await alice.makeServer(`S ${evil}`.slice(0, 100));
        await alice.bringIn(server.id, bob);
        await bob.patch("/auth/me", { display_name: `B ${evil}`.slice(0, 64) });
        await alice.patch(`/channels/${server.general.id}`, { name: `c ${evil}`.slice(0, 100) });
        const file = await upload(bob, `${evil.replaceAll("/", "_").slice(0, 60)}.txt`, "text");
        await bob.say(server.general.id, "", { attachments: [file.url] });
        for (const text of hostile) await bob.say(server.general.id, text);
        const webhook = (
          await alice.post<{ id: string; token: string }>(`/channels/${server.general.id}/webhooks`, {
            name: `W ${evil}`.slice(0, 80),
          })
        ).body;
        await alice.post(`/webhooks/${webhook.id}/${webhook.token}`, { content: evil });
        const watched = await scene.watched();
        const page = await watched.page(`/servers/${server.id}/channels/${server.general.id}`, alice);
        // The channel opens at the first unread message, far above the last.
        await page
          .getByRole("article")
          .first()
          .getByText(/onerror/)
          .first()
          .waitFor();
        await expectHarmless(page);
        await page.getByRole("button", { name: "Jump to present" }).click();
        await page.getByRole("article").last().getByText(evil, { exact: true }).waitFor();
        await expectHarmless(page);
        await watched.close();
      },
      journey,
    );

    test(
      "Whatever people, roles, bots, events and the instance are called, it is text on every page there is",
      async () => {
        const { alice, bob, server } = furnished;
        await bob.listen();
        await callEverythingNames(scene, furnished);
        const watched = await scene.watched();
        // Files that are no pictures; an invite that does not exist.
        watched.allow(/status of (400|401|404|502)/);
        const page = await watched.page("/", alice);
        for (const [address, names] of Object.entries(whereItStands(furnished))) {
          await page.goto(address);
          await untilShown(page);
          for (const name of names) await untilSo(page, shows(named(name)));
          await expectHarmless(page);
        }
        const general = `/servers/${server.id}/channels/${server.general.id}`;
        await page.goto(general);
        await page
          .getByRole("complementary")
          .getByRole("button", { name: /^person/ })
          .click();
        const card = page.getByRole("dialog", { name: /^Profile of person/ });
        for (const name of ["bio", "status", "role"]) await untilSo(page, shows(named(name)));
        await expectHarmless(page);
        await page.keyboard.press("Escape");
        await card.waitFor({ state: "detached" });
        await page.keyboard.press("Control+k");
        for (const name of ["channel", "person"]) {
          await page.getByRole("combobox", { name: "Go to" }).fill(name);
          await page
            .getByRole("option", { name: new RegExp(`^${name} "`) })
            .first()
            .waitFor();
          await expectHarmless(page);
        }
        await page.keyboard.press("Escape");

        // Others can write addresses, too.
        const written = encodeURIComponent(named("address"));
        for (const address of [
          `/invite/${written}`,
          `/servers/${written}/channels/${written}`,
          `/settings/${written}`,
          `/admin/${written}`,
          `/${written}#${written}`,
        ]) {
          await page.goto(address);
          await untilShown(page);
          await expectHarmless(page);
        }
        await watched.close();
      },
      journey,
    );

    for (const [what, address] of hostilePictures)
      test(
        `GIFs with ${what} are pictures from here or nothing`,
        async () => {
          gifs.instead = () => Response.json(pageOfGifs(address));
          const { alice, server, general } = await scene.twoPeople();
          const watched = await scene.watched();
          watched.allow(/status of (400|404|502|503)/);
          const page = await watched.page(`/servers/${server.id}/channels/${general.id}`, alice);
          await page.getByRole("button", { name: "GIF" }).click();
          const dialog = page.getByRole("dialog");
          await dialog.getByRole("combobox", { name: "Search GIFs" }).waitFor();
          await dialog
            .getByRole("option")
            .or(dialog.getByRole("alert"))
            .or(dialog.getByText(/No GIF|could not|failed/))
            .first()
            .waitFor();
          await expectHarmless(page);
          await watched.close();
        },
        journey,
      );
  },
  () => gifs.settings,
);

afterAll(() => gifs.stop());

async function callEverythingNames(scene: Scene, { alice, bob, server }: Furnished): Promise<void> {
  const evil = named;
  const done = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    if (status >= 300) throw new Error(`it was refused: ${JSON.stringify(body)}`);
    return body as { id: string };
  };
  await done(alice.put("/admin/settings", { name: evil("instance") }));
  await done(
    alice.patch(`/servers/${server.id}`, {
      name: evil("server"),
      icon: 'https://x.invalid/a.png?"onerror=globalThis.hurt=1',
    }),
  );
  await done(
    alice.patch(`/channels/${server.general.id}`, { name: evil("channel"), category: evil("category") }),
  );
  const role = await done(
    alice.post(`/servers/${server.id}/roles`, {
      name: evil("role"),
      permissions: 0,
      position: 1,
      color: "#2f8f83",
    }),
  );
  await done(alice.put(`/servers/${server.id}/members/${bob.id}/roles`, { role_ids: [role.id] }));
  await done(
    bob.patch("/auth/me", {
      display_name: evil("person"),
      bio: evil("bio"),
      status_text: evil("status"),
      avatar: 'https://x.invalid/a.png?"onerror=globalThis.hurt=1',
    }),
  );
  await done(alice.post(`/channels/${server.general.id}/webhooks`, { name: evil("webhook") }));
  const bot = await TestBot.make(alice, evil("bot"), evil("botDescription"));
  await bot.enter(server.id);
  await done(
    bot.post(`/bots/${bot.id}/commands`, { server_id: server.id, name: "do", description: evil("command") }),
  );
  const starts_at = new Date(Date.now() + 86_400_000).toISOString();
  await done(
    alice.post(`/servers/${server.id}/events`, {
      title: evil("event"),
      description: evil("plan"),
      starts_at,
    }),
  );
  const carol = await scene.person("carol");
  await done(carol.patch("/auth/me", { display_name: evil("banned") }));
  await alice.bringIn(server.id, carol);
  // Blocking needs a common server.
  await done(alice.put(`/blocks/${carol.id}`));
  await done(alice.put(`/servers/${server.id}/bans/${carol.id}`, { reason: evil("reason") }));
  const badge = { name: evil("badge"), description: evil("deserved"), icon: "https://x.invalid/b.png" };
  await done(alice.post("/badges", badge));
}

/** By address: the texts that are shown there. */
function whereItStands(furnished: Furnished): Record<string, readonly string[]> {
  const { server, inviteCode } = furnished;
  const everywhere = Object.fromEntries(
    Object.values(addresses(furnished))
      .flat()
      .map((address): [string, readonly string[]] => [address, []]),
  );
  const ofServer = (page: string) => `/servers/${server.id}/settings/${page}`;
  return {
    ...everywhere,
    [`/servers/${server.id}/channels/${server.general.id}`]: ["server", "channel", "category", "person"],
    [ofServer("overview")]: ["server"],
    [ofServer("roles")]: ["role"],
    [ofServer("members")]: ["person", "role"],
    [ofServer("bans")]: ["banned", "reason"],
    [ofServer("webhooks")]: ["webhook"],
    [ofServer("bots")]: ["bot", "botDescription"],
    [ofServer("events")]: ["event", "plan"],
    [`/invite/${inviteCode}`]: ["server"],
    "/admin/people": ["person"],
    "/admin/servers": ["server"],
    "/admin/badges": ["badge", "deserved"],
    "/admin/settings": ["instance"],
    "/settings/blocked": ["banned"],
  };
}

function pageOfGifs(address: string): object {
  const picture = { gif: { url: address, width: 200, height: 100, size: 10 } };
  const gif = {
    id: 1,
    slug: "1",
    title: named("title"),
    type: "gif",
    file: Object.fromEntries(["hd", "md", "sm", "xs"].map((size) => [size, picture])),
  };
  return { result: true, data: { data: [gif], current_page: 1, per_page: 24, has_next: false } };
}

const hostile = [
  "<script>globalThis.hurt=1</script>",
  "<img src=x onerror=globalThis.hurt=1>",
  "[x](javascript:globalThis.hurt=1)",
  "[x](JaVaScRiPt:globalThis.hurt=1)",
  "[x](java&#115;cript:globalThis.hurt=1)",
  "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "![x](javascript:globalThis.hurt=1)",
  '![x](https://x.invalid/a.png" onerror="globalThis.hurt=1)',
  "<javascript:globalThis.hurt=1>",
  '[x](https://x.invalid "onmouseover=globalThis.hurt=1")',
  "`<img src=x onerror=globalThis.hurt=1>`",
  '```"><img src=x onerror=globalThis.hurt=1>\n</code></pre><script>globalThis.hurt=1</script>\n```',
  "<svg onload=globalThis.hurt=1>",
  "<style>@import 'https://x.invalid'</style>",
  "||<img src=x onerror=globalThis.hurt=1>||",
  "> <iframe src=javascript:globalThis.hurt=1>",
  "{{constructor.constructor('globalThis.hurt=1')()}}",
  "\u202egpj.exe",
];
