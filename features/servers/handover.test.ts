// Transferring a server to a member, by its owner, with all rights of the owner; and how many servers one can own.
import { beforeAll, expect, test } from "bun:test";
import pg from "pg";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Server } from "./contract.ts";

onEachEngine("handing a server over", (house) => {
  let olga: TestPerson;
  let bob: TestPerson;
  let sam: TestPerson;

  beforeAll(async () => {
    [olga, bob, sam] = await Promise.all([
      house().person("olga"),
      house().person("bob"),
      house().person("sam"),
    ]);
  });

  test("Bob owns it from then on: all rights are his, and Olga keeps what her roles give her", async () => {
    const home = await olga.makeServer();
    await olga.bringIn(home.id, bob);
    const ear = await bob.listen();

    expect(verdict(await olga.post(`/servers/${home.id}/owner`, { user_id: bob.id }))).toBe("204");

    expect((await ear.next("SERVER_UPDATE")).data as unknown).toMatchObject({
      id: home.id,
      owner_id: bob.id,
    });
    expect((await bob.get<Server>(`/servers/${home.id}`)).body.permissions).toBe(2047);
    expect((await olga.get<Server>(`/servers/${home.id}`)).body.permissions).toBe(1795);
    expect(
      verdicts([
        await olga.patch(`/servers/${home.id}`, { name: "Mine!" }),
        await olga.post(`/servers/${home.id}/owner`, { user_id: olga.id }),
        await bob.delete(`/servers/${home.id}/members/@me`),
        await olga.delete(`/servers/${home.id}/members/@me`),
        await bob.delete(`/servers/${home.id}`),
      ]),
    ).toEqual(["403 owner_only", "403 owner_only", "409 conflict", "204", "204"]);
    ear.close();
  });

  test("what the old owner asks for while it is under way is refused once it is done", async () => {
    const { DATABASE_URL } = house().settings;
    if (!DATABASE_URL) return;
    const home = await olga.makeServer();
    await olga.bringIn(home.id, bob, sam);
    const holder = new pg.Client({ connectionString: DATABASE_URL });
    await holder.connect();
    const waiting = async () => {
      const locks = await holder.query("select from pg_stat_activity where wait_event_type = 'Lock'");
      return locks.rowCount ?? 0;
    };
    await holder.query("begin");
    await holder.query("select from servers where id = $1 for update", [home.id]);
    const handing = olga.post(`/servers/${home.id}/owner`, { user_id: bob.id });
    await until(async () => (await waiting()) >= 1, "it does not wait for the server");
    const late = [
      olga.patch(`/servers/${home.id}`, { name: "Mine!" }),
      olga.delete(`/servers/${home.id}/icon`),
      olga.post(`/servers/${home.id}/owner`, { user_id: sam.id }),
      olga.delete(`/servers/${home.id}`),
    ];
    await until(async () => (await waiting()) >= 2, "nothing waits behind it");
    await holder.query("commit");
    await holder.end();
    expect(verdict(await handing)).toBe("204");
    expect(verdicts(await Promise.all(late))).toEqual(late.map(() => "403 owner_only"));
    expect((await bob.get<Server>(`/servers/${home.id}`)).body).toMatchObject({
      ...{ name: home.name, owner_id: bob.id },
    });
  });

  test("to oneself it changes nothing; to a stranger, to nobody, or to no id it is refused", async () => {
    const home = await olga.makeServer();
    const hand = (user_id: unknown) => olga.post(`/servers/${home.id}/owner`, { user_id });
    expect(
      verdicts([
        await hand(olga.id),
        await hand(sam.id),
        await hand("01890000-0000-7000-8000-000000000000"),
        await hand("sam"),
        await hand(null),
        await hand(undefined),
      ]),
    ).toEqual([
      "204",
      "404 not_found",
      "404 not_found",
      "400 invalid_request",
      "400 invalid_request",
      "400 invalid_request",
    ]);
    expect((await olga.get<Server>(`/servers/${home.id}`)).body.owner_id).toBe(olga.id);
  });

  test("one person owns at most 100: making and being given one end there, also when tried all at once", async () => {
    const count = async () => {
      const { body } = await sam.get<Server[]>("/servers");
      return body.filter((each) => each.owner_id === sam.id).length;
    };
    await fillServers(house().running.house, 98 - (await count()), [sam], { channels: 1, roles: 1 });
    const gift = await olga.makeServer("A gift");
    await olga.bringIn(gift.id, sam);

    const rush = await Promise.all(
      Array.from({ length: 8 }, () => insisted(() => sam.post("/servers", { name: "One more" }))),
    );

    expect(await count()).toBe(100);
    expect(verdicts(rush).sort()).toEqual(["201", "201", ...Array(6).fill("409 conflict")]);
    expect(verdict(await olga.post(`/servers/${gift.id}/owner`, { user_id: sam.id }))).toBe("409 conflict");
    expect((await olga.get<Server>(`/servers/${gift.id}`)).body.owner_id).toBe(olga.id);
  });

  test("nor is anybody given more when several owners hand over at once", async () => {
    const tom = await house().person("tom");
    for (let i = 0; i < 99; i++) await tom.post("/servers", { name: `Number ${i}` });
    const gifts = [];
    for (let i = 0; i < 8; i++) {
      const owner = await house().person("owner");
      const { id } = await owner.makeServer();
      await owner.bringIn(id, tom);
      gifts.push({ owner, id });
    }
    const rush = await Promise.all(
      gifts.map(({ owner, id }) => owner.post(`/servers/${id}/owner`, { user_id: tom.id })),
    );
    expect(verdicts(rush).sort()).toEqual(["204", ...Array(7).fill("409 conflict")]);
    const { body } = await tom.get<Server[]>("/servers");
    expect(body.filter((each) => each.owner_id === tom.id)).toHaveLength(100);
  });
});
