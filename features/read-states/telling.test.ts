// When other processes are notified of markers, and of which: each separate notice wakes all of them.
import { afterEach, expect, spyOn, test } from "bun:test";
import { newId } from "../../server/tokens.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { gathering } from "./gathering.ts";
import { isLater, Telling, tellingPace } from "./telling.ts";

let house: TestHouse | undefined;
afterEach(async () => {
  await house?.end();
  house = undefined;
});

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "an author's marker goes with their message, and without one a moment later",
  async () => {
    house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const alice = await house.person("alice");
    const home = await alice.makeServer();
    const running = house.running.house;
    // A commit of the server's own would carry the marker with it.
    await house.quiet();
    const { bus } = running;
    let isPublishing = false;
    const publish = bus.publish.bind(bus);
    spyOn(bus, "publish").mockImplementation((items) => {
      isPublishing = items.some((item) => item.kind === "logged");
      publish(items);
      isPublishing = false;
    });
    const told: boolean[] = [];
    spyOn(bus, "tell").mockImplementation(({ data }) => {
      if ((data as { noted?: unknown }).noted) told.push(isPublishing);
    });
    const pace = tellingPace(running);
    const { commitMs } = pace;
    // On a busy machine a commit may take longer than a marker waits for it.
    pace.commitMs = 3600_000;
    await alice.say(home.general.id, "hello");
    expect(told).toEqual([true]);

    pace.commitMs = commitMs;
    const marker = { userId: alice.id, serverId: home.id, channelId: home.general.id, lastReadId: newId() };
    gathering(running).note({ ...marker, isTold: false });
    expect(told).toHaveLength(1);
    await until(() => told.length === 2, "others are never told");
  },
);

test("of two markers the one that was noted later is later, also where its process has not heard of the other", async () => {
  house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const [one, other] = [new Telling(house.running.house), new Telling(house.running.house)];
  const marker = { userId: "u", serverId: "s", channelId: "c", isTold: true };
  // The first process has noted more markers than the second one.
  for (let i = 0; i < 10; i++) one.note({ ...marker, lastReadId: "earlier" });
  const earlier = one.note({ ...marker, lastReadId: "early" });
  for (const from = performance.now(); performance.now() < from + 1; );
  const later = other.note({ ...marker, lastReadId: "late" });
  expect([isLater(later, earlier), isLater(earlier, later)]).toEqual([true, false]);
  // A clock that is behind does not matter once the other process was heard.
  const ahead = { ...later, turn: later.turn + 3600_000_000, by: "another process" };
  one.read({ noted: [ahead] });
  expect(isLater(one.note({ ...marker, lastReadId: "last" }), ahead)).toBe(true);
});
