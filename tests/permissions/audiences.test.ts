// Every event and every kind of listener: those who may know of the event receive it, and nobody else does.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Channel } from "../../features/channels/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { eventFrames, gatewayFrames } from "../../server/docs/frames.ts";
import { features } from "../../server/features.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { until } from "../house/machine/waiting.ts";
import { onEachEngine } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import { audiences, type Listener, listeners, type Scene } from "./audience-table.ts";

test("every event there is stands in the table, once", () => {
  const declared = features.flatMap((feature) => (feature.events ?? []).map((event) => event.type));
  expect(audiences.map((row) => row.event).sort()).toEqual([...new Set(declared)].sort());
});

const media = new LiveKitDouble();
afterAll(() => media.stop());

onEachEngine(
  "who hears what",
  (house) => {
    let scene: Scene;
    const ears = {} as Record<Listener, Ear>;

    beforeAll(async () => {
      const cast = await Promise.all(listeners.map((name) => house().person(name)));
      const people = Object.fromEntries(listeners.map((name, i) => [name, cast[i]])) as Scene["people"];
      const { owner, seer, blind, leaver } = people;
      const server = await owner.makeServer("The stage");
      await owner.bringIn(server.id, seer, blind, leaver);
      await owner.patch(`/servers/${server.id}/roles/${server.everyone.id}`, { permissions: 0 });
      const speak = permission.VIEW_CHANNEL | permission.SEND_MESSAGES;
      for (const who of [seer, leaver]) await owner.giveRole(server.id, who, speak);
      media.webhookUrl = `${house().url}/api/v1/voice/webhook`;
      const asked = { server_id: server.id, name: "parlour", type: "voice" };
      const parlour = (await owner.post<Channel>("/channels", asked)).body;
      for (const name of listeners) ears[name] = await people[name].listen();
      scene = { people, server, ears, media, parlour };
    });
    afterAll(() => {
      for (const ear of Object.values(ears)) ear.close();
    });

    for (const { event, hear, cause } of audiences) {
      test(`${event} is heard by ${hear.join(", ")}`, async () => {
        await quiet();
        const before = listeners.map((name) => ears[name].heard(event).length);
        await cause(scene);
        for (const name of hear) {
          const known = before[listeners.indexOf(name)] ?? 0;
          await until(() => ears[name].heard(event).length > known, `${name} does not hear ${event}`);
        }
        await quiet();
        const heard = listeners.filter((name, i) => ears[name].heard(event).length > (before[i] ?? 0));
        expect(heard).toEqual(listeners.filter((name) => hear.includes(name)));
      });
    }

    test("all that was heard meanwhile has the shape that the description tells", () => {
      const running = house().running.house;
      const shapes = new Map(
        [...gatewayFrames(running), ...eventFrames(running)].map(({ type, shape }) => [type, shape]),
      );
      const heard = Object.values(ears).flatMap((ear) => ear.frames as { type: string }[]);
      expect(new Set(heard.map(({ type }) => type)).size).toBeGreaterThan(audiences.length);
      // Equal, not merely valid: parsing drops a field that is not declared.
      for (const frame of heard) expect<unknown>(shapes.get(frame.type)?.parse(frame)).toEqual(frame);
    });

    async function quiet(): Promise<void> {
      await Promise.all(Object.values(ears).map((ear) => ear.settle()));
    }
  },
  media.settings,
);
