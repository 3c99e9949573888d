// Conversations, as pushes, levels and markers know them: nobody's roles count.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { levelsIn } from "../notifications/access.ts";
import { readersAmong } from "../read-states/access.ts";
import { mentionCounts } from "../read-states/counting.ts";
import { isWanted, noteWanting, wantingAfter } from "./wanting.ts";

const channel_id = "01890000-0000-7000-8000-0000000000c1";
const message_id = "01890000-0000-7000-8000-0000000000c2";
const place = { server_id: null, channel_id };

let house: TestHouse;
let ada: string;
beforeAll(async () => {
  house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  ada = (await house.person("ada")).id;
});
afterAll(() => house.end());

test("the level is that of conversations, and a channel is wanted by itself alone", async () => {
  const { house: running } = house.running;
  expect(await levelsIn(running.database.read, place, [ada])).toEqual(new Map([[ada, "all"]]));
  expect(isWanted(running, place)).toBe(false);
  noteWanting(running, ada, channel_id);
  expect(isWanted(running, place)).toBe(true);
  expect(wantingAfter(running, place, "", 10)).toEqual([ada]);
});

test("nobody counts as a reader without a marker, and markers count mentions by name", async () => {
  await house.running.house.read(async (unit) => {
    expect(await readersAmong(unit, { id: message_id, ...place }, [ada])).toEqual(new Set());
    const marker = { userId: ada, serverId: null, channelId: channel_id, lastReadId: message_id };
    expect(await mentionCounts(unit, [marker], () => [])).toEqual(new Map());
  });
});
