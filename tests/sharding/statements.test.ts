// Statements of hot paths name the shard key of their table, so that one shard can answer them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gathering } from "../../features/read-states/gathering.ts";
import type { TestHouse } from "../house/open/engines.ts";
import { makeHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { statementsOf } from "../house/scenes/statements.ts";
import { homes, scattered } from "./homes.ts";
import { touchesOf } from "./statements.ts";

describe("the reader of statements", () => {
  test.each([
    [
      'insert into "streams" ("stream", "seq") values ($1, $2)',
      [{ table: "streams", columns: ["seq", "stream"] }],
    ],
    [
      'select "m"."id" from "members" as "m" inner join "users" on "users"."id" = "m"."user_id" where "m"."server_id" = $1 order by "m"."joined_at"',
      [
        { table: "members", columns: ["server_id"] },
        { table: "users", columns: [] },
      ],
    ],
    [
      'update "streams" set "seq" = "seq" + $1 where "version" = $2',
      [{ table: "streams", columns: ["version"] }],
    ],
  ])("finds tables and the columns of conditions in %s", (statement, touches) => {
    expect(touchesOf(statement)).toEqual(touches);
  });
});

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("hot paths (skipped where there is no PostgreSQL)", () => {
  let house: TestHouse;
  let statements: Set<string>;

  beforeAll(async () => {
    house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const ada = await TestPerson.register(house, "ada");
    const ben = await TestPerson.register(house, "ben");
    const garden = await ada.makeServer("Garden");
    await ada.bringIn(garden.id, ben);
    const heard = await statementsOf(house, async () => {
      await talk(ada, ben, garden.id, garden.general.id);
      // The read markers of a second are stored together.
      await gathering(house.running.house).store();
    });
    statements = new Set(heard.statements);
  });
  afterAll(() => house?.end());

  test("ask one shard, but for what is listed with the reason", () => {
    expect(statements.size).toBeGreaterThan(30);
    const found = new Set<string>();
    for (const statement of statements) {
      for (const { table, columns } of touchesOf(statement)) {
        const home = homes[table];
        if (home !== undefined && !columns.includes(home)) found.add(`${table}: ${columns.join(", ")}`);
      }
    }
    expect([...found].sort()).toEqual(Object.keys(scattered).sort());
  });
});

/** Common actions of people, and a resume after a lost connection. */
async function talk(ada: TestPerson, ben: TestPerson, serverId: string, channelId: string): Promise<void> {
  const ear = await ben.listen();
  const first = await ada.say(channelId, `Good morning @${ben.username}`, { nonce: "first" });
  await ben.say(channelId, "Good morning.", { reply_to: first.id });
  const calls: [method: string, path: string, body?: unknown][] = [
    ["GET", `/channels/${channelId}/messages?limit=50`],
    ["GET", `/channels/${channelId}/messages?limit=50&before=${first.id}`],
    ["PATCH", `/messages/${first.id}`, { content: "Good evening" }],
    ["POST", `/messages/${first.id}/reactions`, { emoji: "👍" }],
    ["GET", `/messages/${first.id}/reactions`],
    ["POST", `/channels/${channelId}/typing`],
    ["PUT", `/channels/${channelId}/read`, { message_id: first.id }],
    ["PUT", "/auth/me/presence", { status: "idle" }],
    ["GET", `/servers/${serverId}/members`],
    ["GET", `/channels?server_id=${serverId}`],
    ["GET", "/auth/me"],
    ["DELETE", `/messages/${first.id}`],
  ];
  for (const [method, path, body] of calls) {
    const { status } = await ben.call(method, path, body);
    // Only the author of a message may change it.
    const again = status === 403 ? await ada.call(method, path, body) : { status };
    if (again.status >= 300) throw new Error(`${method} ${path} was answered ${again.status}`);
  }
  await ear.settle();
  const { resumePoint } = ear;
  ear.close();
  await ear.closed;
  const back = await ben.listen(resumePoint);
  back.close();
}
