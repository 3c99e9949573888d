// Many sockets that gain and lose sight of many channels at once: other work has its turns, and no frame is missing.
import { expect, test } from "bun:test";
import { defaultPermissions, permission } from "../../protocol/permissions.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { fillServers } from "../../tests/house/people/many-servers.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import type { BusItem } from "../bus/bus.ts";
import { memoryBus } from "../bus/memory.ts";
import { nextTurn } from "../house/pieces.ts";
import { serverStream } from "../place.ts";
import { topicOf } from "./audience.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

interface Line {
  frames: string[];
  /** How often frames were handed to the system: frames sent together count once. */
  goes: number;
  topics: Set<string>;
}

async function lineTo(gateway: Gateway, person: TestPerson): Promise<Line> {
  const line: Line = { frames: [], goes: 0, topics: new Set() };
  const socket = new Socket(undefined, "127.0.0.1");
  let isTogether = false;
  gateway.opened(
    socket,
    wireWith({
      send(frame) {
        if (!isTogether) line.goes++;
        return line.frames.push(frame);
      },
      subscribe: (topic) => line.topics.add(topic),
      unsubscribe: (topic) => line.topics.delete(topic),
      cork(send) {
        line.goes++;
        isTogether = true;
        send();
        isTogether = false;
      },
    }),
  );
  await gateway.received(socket, JSON.stringify({ type: "AUTH", data: { token: person.token } }));
  line.frames.length = 0;
  return line;
}

/** Bob and Carol with twenty sockets each, in a server of Alice's with 200 channels, at a gateway of their own. */
async function crowd(house: TestHouse) {
  const [alice, bob, carol] = [
    await house.person("alice"),
    await house.person("bob"),
    await house.person("carol"),
  ];
  const running = house.running.house;
  const [serverId = ""] = await fillServers(running, 1, [alice, bob, carol], { channels: 200, roles: 1 });
  const gateway = new Gateway(running, running.bus);
  const people = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? bob : carol));
  const lines = await Promise.all(people.map((person) => lineTo(gateway, person)));
  const [everyone] = (await alice.get<{ id: string }[]>(`/servers/${serverId}/roles`)).body;
  const setEveryone = (permissions: number) =>
    alice.patch(`/servers/${serverId}/roles/${everyone?.id}`, { permissions });
  return { gateway, lines, serverId, setEveryone };
}

const typesIn = (line: Line) => [...new Set(line.frames.map((frame) => String(JSON.parse(frame).type)))];

onEachEngine("the sight of many channels", (house) => {
  test("is told to each of many sockets whole and in one go, with everybody else's turn between, as frames made once", async () => {
    const { gateway, lines, serverId, setEveryone } = await crowd(house());
    const ways = [
      [defaultPermissions & ~permission.VIEW_CHANNEL, "CHANNEL_DELETE", false],
      [defaultPermissions, "CHANNEL_CREATE", true],
    ] as const;
    for (const [permissions, type, sees] of ways) {
      for (const line of lines) Object.assign(line, { frames: [], goes: 0 });
      const told = () => lines.filter((line) => line.frames.length === 200).length;
      // The number of sockets that had been served, at each turn of other work.
      const turns = new Set<number>();
      const look = async () => {
        for (; !turns.has(lines.length); await nextTurn()) turns.add(told());
      };
      const changing = setEveryone(permissions);
      const looked = look();
      await changing;
      await until(() => told() >= lines.length, "somebody is not told");
      await looked;
      expect(lines.map(typesIn)).toEqual(lines.map(() => [type]));
      expect(lines.map((line) => line.goes)).toEqual(lines.map(() => 1));
      expect(lines.map((line) => line.topics.has(topicOf(serverStream(serverId), "viewers")))).toEqual(
        lines.map(() => sees),
      );
      expect(turns.size).toBeGreaterThanOrEqual(6);
      for (const line of lines) expect(line.frames).toEqual(lines[0]?.frames ?? []);
    }
    gateway.close("restart");
  });

  test("is lost whole, also of one that is deleted and swept before the loss is told", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const running = house().running.house;
    const late = memoryBus(() => {});
    const gateway = new Gateway(running, late);
    const line = await lineTo(gateway, bob);
    const held: BusItem[] = [];
    running.bus.subscribe((items) => held.push(...items));
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    await alice.delete(`/channels/${home.general.id}`);
    await sweep(house());
    late.publish(held);
    const isTold = () => line.frames.some((text) => text.includes(home.general.id));
    const listens = () => line.topics.has(topicOf(serverStream(home.id), "viewers"));
    await until(() => !listens() && isTold(), "the loss is not told");
    expect(line.frames.map((text) => JSON.parse(text).data)).toContainEqual({ id: home.general.id });
    gateway.close("restart");
  });
});
