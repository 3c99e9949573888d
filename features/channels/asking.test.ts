// Queries for lists of channels and READY: a constant number, whatever there is, with the right results.

import { beforeAll, expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { viewers } from "./access.ts";
import type { Channel } from "./contract.ts";

onEachEngine("the newest messages of channels", (house) => {
  let olga: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  const rooms: Channel[] = [];
  const last = new Map<string, string | null>();

  beforeAll(async () => {
    olga = await house().person("olga");
    home = await olga.makeServer();
    last.set(home.general.id, null);
    for (let i = 0; i < 12; i++) {
      const room = (await olga.post<Channel>("/channels", { server_id: home.id, name: `room ${i}` })).body;
      rooms.push(room);
      last.set(room.id, null);
      for (let k = 0; k < i % 3; k++) last.set(room.id, (await olga.say(room.id, `word ${k}`)).id);
    }
  });

  const aboutMessages = (statements: readonly string[]) =>
    statements.filter((text) => /from "messages"/.test(text));
  const told = (channels: readonly Channel[]) =>
    new Map(channels.map((each) => [each.id, each.last_message_id]));

  test("a list of channels asks once for all of them", async () => {
    const list = () => olga.get<Channel[]>(`/channels?server_id=${home.id}`);
    const { answer, statements } = await statementsOf(house(), list);
    expect(told(answer.body)).toEqual(last);
    expect(aboutMessages(statements)).toHaveLength(1);
  });

  test("in a server as full as can be others have their turn between them, in a list and in READY", async () => {
    const erin = await house().person("erin");
    const full = await erin.makeServer("Full");
    const ids = Array.from({ length: 499 }, () => Bun.randomUUIDv7());
    const kind = { type: "text", topic: null, category: null, audience: viewers } as const;
    const row = { server_id: full.id, ...kind, created_at: Date.now() };
    const channels = ids.map((id, i) => ({
      ...row,
      id,
      name: `room ${i}`,
      position: i + 1,
      deleted_at: null,
    }));
    await fill(house(), "channels", channels);
    const list = () => erin.get<Channel[]>(`/channels?server_id=${full.id}`);
    const listed = await statementsOf(house(), list);
    expect(listed.answer.body.map(({ id }) => id)).toEqual([full.general.id, ...ids]);
    expect(listed.rowsInOneTurn).toBeLessThan(700);
    const ready = await statementsOf(house(), () => erin.listen());
    expect(ready.rowsInOneTurn).toBeLessThan(700);
    ready.answer.close();
  });

  test("READY asks once for all servers", async () => {
    await olga.makeServer("Elsewhere");
    const { answer: ear, statements } = await statementsOf(house(), () => olga.listen());
    const servers = ear.ready.servers as unknown as { id: string; channels: Channel[] }[];
    expect(told(servers.find(({ id }) => id === home.id)?.channels ?? [])).toEqual(last);
    expect(servers).toHaveLength(2);
    expect(aboutMessages(statements)).toHaveLength(1);
    ear.close();
  });

  test("READY asks once who of the connected people is where, and once for what they say of themselves", async () => {
    const bob = await house().person("bob");
    for (const { id } of (await olga.get<{ id: string }[]>("/servers")).body) await olga.bringIn(id, bob);
    const ears = [await olga.listen()];
    // Each process learns of her by itself.
    const isSeen = async () => {
      for (const _ of house().all)
        if (String((await bob.get(`/users/${olga.id}`)).body.presence) !== "online") return false;
      return true;
    };
    await until(isSeen, "Olga is not seen");
    const { answer, statements } = await statementsOf(house(), () => bob.listen());
    const servers = answer.ready.servers as unknown as { presences: { user_id: string }[] }[];
    // Whether Bob counts himself depends on whether he is connected before his state is loaded; later events tell him.
    const others = (connected: { user_id: string }[]) => connected.filter((each) => each.user_id !== bob.id);
    expect(servers.map(({ presences }) => others(presences).map((each) => each.user_id))).toEqual(
      servers.map(() => [olga.id]),
    );
    const asking = (pattern: RegExp) => statements.filter((text) => pattern.test(text)).length;
    expect(asking(/"id", "status_text" from "users"/)).toBe(1);
    expect(asking(/^(?!.*"joined_id").*"asked" inner join "members"/s)).toBe(1);
    for (const ear of [...ears, answer]) ear.close();
  });

  test("one channel tells its own, and what is deleted is no channel's newest any more", async () => {
    const room = rooms[2] as Channel;
    const before = last.get(room.id) as string;
    const newer = await olga.say(room.id, "newer");
    const one = async () => (await olga.get<Channel>(`/channels/${room.id}`)).body.last_message_id;
    expect(await one()).toBe(newer.id);
    await olga.delete(`/messages/${newer.id}`);
    expect(await one()).toBe(before);
  });
});
