// Two classes of channels in one server: each reaches its own audience, live, on replay and when rights change.
import { expect, test } from "bun:test";
import { z } from "zod";
import { placeOfChannel } from "../../features/channels/access.ts";
import { event, kind } from "../../protocol/event.ts";
import { permission } from "../../protocol/permissions.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { homeForEach } from "../../tests/house/scenes/home.ts";
import { features } from "../features.ts";
import type { Feature } from "../house/feature.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

const noted = event(kind<{ id: string }>("NOTED"), {
  summary: "A note was taken",
  data: z.object({ id: z.string() }),
  happensIn: "channel",
});

/** Declares the event of these tests. */
const notes: Feature = { name: "notes", operations: [], events: [noted] };

interface Line {
  heard: { type: string; data: { id: string }; seq?: number }[];
  point(): unknown;
}

/** A gateway with a fake runtime that records what was published, and what each line received. */
class Exchange {
  readonly published: string[] = [];
  readonly #gateway: Gateway;
  readonly #listening = new Map<string, Set<(frame: string) => void>>();

  constructor(house: TestHouse) {
    const running = house.running.house;
    this.#gateway = new Gateway(running, running.bus);
    const on = (topic: string) => this.#listening.get(topic) ?? new Set();
    this.#gateway.publishThrough({
      publish: (topic, frame) => {
        // A person's presence goes to all members, whatever their channels.
        if (!topic.startsWith("members ")) this.published.push(topic);
        for (const send of on(topic)) send(frame);
      },
      count: (topic) => on(topic).size,
    });
  }

  async open({ token }: TestPerson, resume?: unknown): Promise<Line> {
    const heard: Line["heard"] = [];
    const send = (frame: string) => heard.push(JSON.parse(frame));
    const socket = new Socket(undefined, "127.0.0.1");
    const subscribe = (topic: string) =>
      this.#listening.set(topic, (this.#listening.get(topic) ?? new Set()).add(send));
    const unsubscribe = (topic: string) => this.#listening.get(topic)?.delete(send);
    this.#gateway.opened(socket, wireWith({ send, subscribe, unsubscribe }));
    await this.#gateway.received(socket, JSON.stringify({ type: "AUTH", data: { token, resume } }));
    return { heard, point: () => pointOf(heard) };
  }

  close(): void {
    this.#gateway.close("restart");
  }
}

function pointOf(heard: Line["heard"]): unknown {
  const ready = heard.find(({ type }) => type === "READY")?.data as unknown as {
    epoch: string;
    servers: { id: string; seq: number }[];
  };
  const last = heard.findLast(({ seq }) => seq !== undefined)?.seq;
  return {
    epoch: ready.epoch,
    streams: Object.fromEntries(ready.servers.map(({ id, seq }) => [id, last ?? seq])),
  };
}

const typesAndIds = (line: Line) =>
  line.heard
    .filter(({ type }) => /^(NOTED|CHANNEL_)/.test(type))
    .map(({ type, data }) => `${type} ${data.id}`);

onEachEngine(
  "a server with two classes of channels",
  (house) => {
    const stage = homeForEach(house);

    /** Bob holds a role that sees the vault; Carol does not. */
    async function scene() {
      const { olga, bob, carol, home } = stage;
      await olga.bringIn(home.id, carol);
      const keepers = await olga.giveRole(home.id, bob, 0);
      const overrides = [
        { id: home.everyone.id, kind: "role", deny: permission.VIEW_CHANNEL },
        { id: keepers.id, kind: "role", allow: permission.VIEW_CHANNEL },
      ];
      const asked = { server_id: home.id, name: "vault", overrides };
      const closed = (await olga.post<{ id: string }>("/channels", asked)).body.id;
      const { house: running } = house().running;
      const note = (id: string) =>
        running.write(async (unit) => {
          const place = await placeOfChannel(unit, id);
          if (place) unit.emit(noted, place, { id });
        });
      const exchange = new Exchange(house());
      return { olga, bob, carol, home, keepers, open: home.general.id, closed, note, exchange };
    }

    test("is heard live by those who hold the name, and published once an event", async () => {
      const { olga, bob, carol, open, closed, note, exchange } = await scene();
      const lines = [await exchange.open(olga), await exchange.open(bob), await exchange.open(carol)];
      await note(open);
      await note(closed);
      await note(open);
      await until(() => exchange.published.length >= 3, "not all was published");
      const all = [`NOTED ${open}`, `NOTED ${closed}`, `NOTED ${open}`];
      expect(lines.map(typesAndIds)).toEqual([all, all, [`NOTED ${open}`, `NOTED ${open}`]]);
      expect(exchange.published.map((topic) => topic.split(" ")[0])).toEqual([
        "viewers",
        `channel:${closed}`,
        "viewers",
      ]);
      exchange.close();
    });

    test("is replayed to those who hold the name", async () => {
      const { bob, carol, open, closed, note, exchange } = await scene();
      const points = [(await exchange.open(bob)).point(), (await exchange.open(carol)).point()];
      await note(closed);
      await note(open);
      const [byBob, byCarol] = [await exchange.open(bob, points[0]), await exchange.open(carol, points[1])];
      expect(typesAndIds(byBob)).toEqual([`NOTED ${closed}`, `NOTED ${open}`]);
      expect(typesAndIds(byCarol)).toEqual([`NOTED ${open}`]);
      expect([byBob, byCarol].map(({ heard }) => heard.at(-1)?.data)).toEqual([
        { replayed: 2 },
        { replayed: 1 },
      ] as never);
      exchange.close();
    });

    test("comes into sight with the name, goes out of it with the name, and nothing else of the server does", async () => {
      const { olga, carol, home, keepers, open, closed, note, exchange } = await scene();
      const line = await exchange.open(carol);
      const path = `/servers/${home.id}/members/${carol.id}/roles`;
      await olga.put(path, { role_ids: [keepers.id] });
      await until(() => typesAndIds(line).length === 1, "the vault did not come into sight");
      await note(closed);
      await olga.put(path, { role_ids: [] });
      await until(() => typesAndIds(line).length === 3, "the vault did not go out of sight");
      const before = exchange.published.length;
      await note(closed);
      await note(open);
      await until(() => typesAndIds(line).length === 4, "the open channel was not heard");
      expect(typesAndIds(line)).toEqual([
        `CHANNEL_CREATE ${closed}`,
        `NOTED ${closed}`,
        `CHANNEL_DELETE ${closed}`,
        `NOTED ${open}`,
      ]);
      expect(exchange.published).toHaveLength(before + 2);
      exchange.close();
    });
  },
  {},
  [...features, notes],
);
