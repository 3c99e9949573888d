// A page's members against a real house, with lists of them being fetched while people join and leave.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { calls } from "../../client/call.ts";
import { Members } from "../../client/members.ts";
import { limits } from "../../protocol/limits.ts";
import { until } from "../house/machine/waiting.ts";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { comeIn, crowd } from "../house/scenes/crowd.ts";
import { Line, Page, Talk } from "./read-along.ts";
import { Relay } from "./relay.ts";

const patienceMs = 400_000;
const originBefore = calls.origin;
let house: TestHouse;
let relay: Relay;
let line: Line;

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

async function opened() {
  const [alice, bob, carol] = await Promise.all(["alice", "bob", "carol"].map((name) => house.person(name)));
  if (!alice || !bob || !carol) throw new Error("nobody is there");
  const server = await alice.makeServer("Ubuntu");
  await alice.bringIn(server.id, bob, carol);
  line.token = bob.token;
  const talk = new Talk(alice, bob, server.id, server.general.id);
  const page = new Page(relay, bob.token, talk);
  await page.isLive();
  return { alice, carol, serverId: server.id, talk, page, members: new Members(page.chat) };
}

async function expectHeard(page: Page, talk: Talk): Promise<void> {
  await talk.say();
  await until(() => page.heard(talk.newestId), "what is said is not heard");
}

test(
  "a member who left and came back while the list was on its way is one",
  async () => {
    const { alice, carol, serverId, talk, page, members } = await opened();
    line.isHeld = true;
    const fetching = members.page(serverId);
    await until(() => line.held > 0, "the list is not asked for");
    await carol.delete(`/servers/${serverId}/members/@me`);
    await alice.bringIn(serverId, carol);
    await expectHeard(page, talk);
    line.release();
    await fetching;
    expect(members.get(serverId, carol.id)?.user.id).toBe(carol.id);
    page.close();
  },
  patienceMs,
);

test(
  "who was known and is not on the first of several pages after a fresh READY stays known",
  async () => {
    const { alice, serverId, talk, page, members } = await opened();
    const ids = await crowd(house, alice, limits.members_page_max);
    await comeIn(house, serverId, ids);
    const last = ids.at(-1) ?? "";
    members.want(serverId, [last]);
    await until(() => members.get(serverId, last) !== undefined, "the last one is not known");
    const { generation } = page.chat.state;
    relay.cut();
    await talk.changeRights();
    relay.restore();
    await until(() => {
      page.chat.connection.tryNow();
      return page.chat.state.generation > generation;
    }, "READY does not come");
    await members.page(serverId);
    expect(members.hasMore(serverId)).toBe(true);
    expect(members.get(serverId, last)?.user.id).toBe(last);
    page.close();
  },
  patienceMs,
);

test(
  "a list from before a fresh READY is asked for again: what happened between both nobody heard",
  async () => {
    const { alice, carol, serverId, talk, page, members } = await opened();
    line.isHeld = true;
    const fetching = members.page(serverId);
    await until(() => line.held > 0, "the list is not asked for");
    relay.cut();
    await talk.changeRights();
    const roleId = (await alice.giveRole(serverId, carol, 1795)).id;
    const { generation } = page.chat.state;
    relay.restore();
    await until(() => {
      page.chat.connection.tryNow();
      return page.chat.state.generation > generation;
    }, "READY does not come");
    line.isHeld = false;
    await members.page(serverId);
    line.release();
    await fetching;
    members.want(serverId, [carol.id]);
    const roles = () => members.get(serverId, carol.id)?.role_ids;
    await until(() => roles()?.includes(roleId) ?? false, `carol has the roles ${roles()}`);
    expect(members.hasMore(serverId)).toBe(false);
    page.close();
  },
  patienceMs,
);

test(
  "what was fetched is kept true by events; who is no member is known to be none, and is not asked for again",
  async () => {
    const { alice, carol, serverId, talk, page, members } = await opened();
    const stranger = await house.person("stranger");
    members.want(serverId, [carol.id, stranger.id]);
    await until(() => members.get(serverId, carol.id) !== undefined, "carol is not known");
    expect(members.get(serverId, stranger.id)).toBeNull();
    line.asked.length = 0;
    members.want(serverId, [carol.id, stranger.id]);
    const role = await alice.giveRole(serverId, carol, 0);
    await carol.patch("/auth/me", { display_name: "Cara" });
    await expectHeard(page, talk);
    expect(members.get(serverId, carol.id)).toMatchObject({
      user: { display_name: "Cara" },
      role_ids: [role.id],
    });
    expect(members.of(serverId).map(({ user }) => user.id)).toEqual([carol.id]);
    await alice.delete(`/servers/${serverId}/roles/${role.id}`);
    await expectHeard(page, talk);
    expect(members.get(serverId, carol.id)?.role_ids).toEqual([]);
    await carol.delete(`/servers/${serverId}/members/@me`);
    await alice.bringIn(serverId, stranger);
    await expectHeard(page, talk);
    expect(members.get(serverId, carol.id)).toBeNull();
    expect(members.of(serverId).map(({ user }) => user.id)).toEqual([stranger.id]);
    expect(line.asked).toEqual([]);
    page.close();
  },
  patienceMs,
);

test(
  "page after page all members come, each once; of servers that were looked at longest ago nothing stays",
  async () => {
    const { alice, serverId, page, members } = await opened();
    const ids = await crowd(house, alice, limits.members_page_max);
    await comeIn(house, serverId, ids);
    for (let turns = 0; members.hasMore(serverId) && turns < 9; turns++) await members.page(serverId);
    const known = members.of(serverId).map(({ user }) => user.id);
    expect(known).toHaveLength(limits.members_page_max + 3);
    expect(ids.filter((id) => !known.includes(id))).toEqual([]);
    for (let i = 0; i < 7; i++) members.want(`server ${i}`, []);
    expect(members.of(serverId)).toHaveLength(known.length);
    members.want("one more", []);
    expect(members.of(serverId)).toEqual([]);
    page.close();
  },
  patienceMs,
);
