// The bus with a failing subscriber: the other subscribers hear, and the publisher goes on.
import { expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { BusItem } from "./bus.ts";
import { memoryBus } from "./memory.ts";

test("a subscriber that throws is noted, and those after it hear", () => {
  const failures: unknown[] = [];
  const heard: BusItem[] = [];
  const bus = memoryBus((error) => failures.push(error));
  const broken = new Error("broken");
  bus.subscribe(() => {
    throw broken;
  });
  bus.subscribe((items) => heard.push(...items));
  const item: BusItem = { kind: "dropped", cache: "names", key: "*" };
  bus.publish([item]);
  expect(failures).toEqual([broken]);
  expect(heard).toEqual([item]);
});

onEachEngine(
  "a house in which somebody fails to hear",
  (house) => {
    test("answers what it committed, alone or together with others, and goes on", async () => {
      house().running.house.bus.subscribe(() => {
        throw new Error("cannot hear");
      });
      const alice = await house().person("alice");
      const home = await alice.makeServer();
      const ear = await alice.listen();
      for (let i = 0; i < 3; i++) await alice.say(home.general.id, `still here ${i}`);
      for (let i = 0; i < 3; i++) await ear.next("MESSAGE_CREATE");
    });
  },
  { LOG_LEVEL: "silent" },
);
