// A house with a page that follows it: its calls go through a slow proxy, its socket through a relay that can be cut.
import { afterAll, beforeAll } from "bun:test";
import { calls } from "../../client/call.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { Line, Page, Talk } from "./read-along.ts";
import { Relay } from "./relay.ts";

export const patienceMs = 400_000;

/** Sets up the house for the tests of a file. */
export function readingHouse() {
  let house: TestHouse;
  let relay: Relay;
  let line: Line;
  const originBefore = calls.origin;

  beforeAll(async () => {
    house = await makeHouse("SQLite", { AVATAR_URL: "off" });
    await house.open();
    relay = await Relay.to(() => house.url);
    line = new Line(() => house.url);
    calls.origin = line.origin;
  }, patienceMs);
  afterAll(async () => {
    calls.origin = originBefore;
    await line?.close();
    relay?.close();
    await house?.end();
  }, patienceMs);

  /** Opens Bob's page in a channel with this many messages of Alice's, and waits until it is live. */
  async function opened(count: number) {
    const [writer, reader] = [await house.person("alice"), await house.person("bob")];
    const server = await writer.makeServer("Ubuntu");
    await writer.bringIn(server.id, reader);
    const channelId = server.general.id;
    const talk = new Talk(writer, reader, server.id, channelId);
    for (let i = 0; i < count; i++) await talk.say();
    line.token = reader.token;
    const page = new Page(relay, reader.token, talk);
    await page.isLive();
    return { talk, page, writer, reader, relay, line };
  }

  return { opened };
}
