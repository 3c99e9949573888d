// Own pictures of servers and bots: who puts them up, who is told, and what becomes of them.
import { beforeAll, expect, test } from "bun:test";
import { pictureOf } from "../../tests/house/material/images.ts";
import { onEachStore } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { Loose, TestPerson } from "../../tests/house/people/people.ts";
import { fetchPicture, inSize, putPicture } from "../../tests/house/scenes/avatars.ts";
import { hoursLater } from "../../tests/house/scenes/forgotten.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import type { Bot } from "../bots/contract.ts";
import type { Server } from "../servers/contract.ts";

const publicUrl = "https://chat.example";
const address = /^https:\/\/chat\.example\/avatars\/[0-9a-f]{32}\.webp$/;

onEachStore(
  "own pictures of servers and bots",
  (house) => {
    let alice: TestPerson;
    let bob: TestPerson;
    let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
    let picture: Buffer;

    beforeAll(async () => {
      await house().quiet();
      [alice, bob] = [await house().person("alice"), await house().person("bob")];
      home = await alice.makeServer();
      await alice.bringIn(home.id, bob);
      picture = await pictureOf("png", { width: 64, height: 64 });
    });

    const icon = () => `/servers/${home.id}/icon`;
    const put = () => putPicture<Server>(alice, icon(), picture);
    const current = async (who = alice) => (await who.get<Server>(`/servers/${home.id}`)).body.icon;
    const status = async (url: unknown) => (await fetchPicture(house(), url)).status;

    test("the owner puts up the server's; members are told, and READY, lists and invites have it", async () => {
      const ear = await bob.listen();
      const { status: answered, body } = await put();
      expect(answered).toBe(200);
      expect(body.icon).toMatch(address);
      expect(body).toEqual((await alice.get<Server>(`/servers/${home.id}`)).body);
      expect((await ear.next("SERVER_UPDATE")).data).toMatchObject({ id: home.id, icon: body.icon });
      expect(await status(body.icon)).toBe(200);
      const { ready } = await bob.listen();
      const { code } = (await alice.post<{ code: string }>("/invites", { server_id: home.id })).body;
      const carol = await house().person("carol");
      const icons = [
        await current(bob),
        (ready.servers as unknown as Server[]).find(({ id }) => id === home.id)?.icon,
        (await bob.get<Server[]>("/servers")).body.find(({ id }) => id === home.id)?.icon,
        (await carol.get<{ server: Server }>(`/invites/${code}`)).body.server.icon,
        (await carol.post<Server>(`/invites/${code}/join`)).body.icon,
      ];
      expect(icons).toEqual(icons.map(() => body.icon));
    });

    test("nobody else does, and hears so before the picture is read", async () => {
      const before = await current();
      const stranger = await house().person("stranger");
      for (const [who, expected] of [
        [bob, "403 owner_only"],
        [stranger, "404 not_found"],
      ] as const) {
        expect(verdict(await putPicture(who, icon(), "no picture"))).toBe(expected);
        expect(verdict(await who.delete(icon()))).toBe(expected);
      }
      expect(await current()).toBe(before);
    });

    test("an address takes its place, and it the place of an address; the same sent back changes nothing", async () => {
      const { body } = await put();
      const ear = await bob.listen();
      const path = `/servers/${home.id}`;
      for (const same of [body.icon, inSize(body.icon, 64), inSize(body.icon, 512)])
        expect((await alice.patch<Server>(path, { icon: same })).body.icon).toBe(body.icon);
      await ear.settle();
      expect(ear.heard("SERVER_UPDATE")).toEqual([]);
      await alice.patch(path, { icon: "https://pictures.example/home.png" });
      expect(await current(bob)).toBe("https://pictures.example/home.png");
      const again = await put();
      expect(await current(bob)).toBe(again.body.icon);
      await hoursLater(house(), 24);
      expect([await status(body.icon), await status(again.body.icon)]).toEqual([404, 200]);
      await alice.patch(path, { icon: null });
      expect(await current(bob)).toBeNull();
    });

    test("taken away there is none, neither picture nor address; again nothing is told", async () => {
      const { body } = await put();
      const ear = await bob.listen();
      expect((await alice.delete(icon())).status).toBe(204);
      expect((await ear.next("SERVER_UPDATE")).data).toMatchObject({ icon: null });
      expect((await alice.delete(icon())).status).toBe(204);
      await ear.settle();
      expect(ear.heard("SERVER_UPDATE")).toHaveLength(1);
      await hoursLater(house(), 24);
      expect(await status(body.icon)).toBe(404);
      await alice.patch(`/servers/${home.id}`, { icon: "https://pictures.example/home.png" });
      await alice.delete(icon());
      expect(await current()).toBeNull();
    });

    test("of several put up at once one is the server's, and no other stays", async () => {
      const addresses = (await Promise.all([put(), put(), put()])).map(({ body }) => body.icon);
      const kept = await current();
      expect(addresses).toContain(kept);
      await hoursLater(house(), 24);
      for (const each of addresses)
        expect([each, await status(each)]).toEqual([each, each === kept ? 200 : 404]);
    });

    test("with its server the picture goes after 24 hours", async () => {
      const other = await alice.makeServer();
      const { body } = await putPicture<Server>(alice, `/servers/${other.id}/icon`, picture);
      await alice.delete(`/servers/${other.id}`);
      await hoursLater(house(), 23);
      expect(await status(body.icon)).toBe(200);
      await hoursLater(house(), 1);
      expect(await status(body.icon)).toBe(404);
    });

    test("a bot's owner puts up the bot's; those who see the bot are told", async () => {
      const bot = await TestBot.make(alice);
      await bot.enter(home.id);
      const ear = await bob.listen();
      const path = `/bots/${bot.id}/avatar`;
      const { status: answered, body } = await putPicture<Bot>(alice, path, picture);
      expect([answered, body.server_ids]).toEqual([200, [home.id]]);
      expect(body.avatar).toMatch(address);
      expect((await ear.next("USER_UPDATE")).data).toMatchObject({ id: bot.id, avatar: body.avatar });
      const shown = [
        (await alice.get<Bot>(`/bots/${bot.id}`)).body.avatar,
        (await bob.get<Loose>(`/users/${bot.id}`)).body.avatar as unknown,
        (await bot.say(home.general.id, "Beep.")).author.avatar,
      ];
      expect(shown).toEqual(shown.map(() => body.avatar));
      expect(verdict(await putPicture(bob, path, picture))).toBe("404 not_found");
      expectRefusal(await putPicture(bot, path, picture), "forbidden");
      expectRefusal(await putPicture(bot, "/auth/me/avatar", picture), "forbidden");
      expect((await alice.delete(path)).status).toBe(204);
      expect((await alice.get<Bot>(`/bots/${bot.id}`)).body.avatar).toBeNull();
    });

    test("a deleted bot's picture is forgotten: its messages have none, and the file goes", async () => {
      const bot = await TestBot.make(alice);
      await bot.enter(home.id);
      const { body } = await putPicture<Bot>(alice, `/bots/${bot.id}/avatar`, picture);
      const said = await bot.say(home.general.id, "Farewell.");
      await alice.delete(`/bots/${bot.id}`);
      const page = (await bob.get<(typeof said)[]>(`/channels/${home.general.id}/messages`)).body;
      expect(page.find(({ id }) => id === said.id)?.author.avatar).toBeNull();
      await hoursLater(house(), 24);
      expect(await status(body.avatar)).toBe(404);
    });
  },
  { PUBLIC_URL: publicUrl },
);
