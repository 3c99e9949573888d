// Deleting while many write (T32): each message is stored and deleted with the rest, or was rejected; none is left.
import { beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { permission } from "../../protocol/permissions.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { stored } from "../../tests/house/scenes/read-states.ts";
import { sweep } from "../../tests/house/scenes/swept.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

onEachEngine("deleting while many write", (house) => {
  let olga: TestPerson;
  let writers: TestPerson[];

  beforeAll(async () => {
    [olga, ...writers] = (await Promise.all(
      Array.from({ length: 11 }, (_, i) => house().person(i === 0 ? "olga" : "writer")),
    )) as [TestPerson, ...TestPerson[]];
  });

  /**
   * Ten people with three clients each, and the deletion among them. Each client writes until the deletion is answered,
   * and once more.
   */
  async function rush(channelId: string, path: string): Promise<string[]> {
    let taken = (): void => {};
    const firstTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    let isOver = false;
    const windows = Array.from({ length: 30 }, async (_, i) => {
      const writer = writers[i % writers.length] as TestPerson;
      const answers: string[] = [];
      for (let isLast = false; !isLast; ) {
        isLast = isOver;
        const content = `${i % 10 === 0 ? `@${olga.username} ` : ""}${i} ${answers.length}`;
        const answer = await insisted(() =>
          writer.post<{ id: string }>(`/channels/${channelId}/messages`, { content }),
        );
        answers.push(verdict(answer));
        if (answer.status === 201) taken();
        if (answer.status === 201 && i % 10 === 0) {
          await writer.post(`/messages/${answer.body.id}/reactions`, { emoji: "👍" });
        }
      }
      return answers;
    });
    await firstTaken;
    const deleted = verdict(await insisted(() => olga.delete(path)));
    isOver = true;
    const answers = await Promise.all(windows);
    expect([deleted, ...new Set(answers.map((each) => each.at(-1)))]).toEqual(["204", "404 not_found"]);
    return answers.flat();
  }

  /** The number of rows that refer to a row that does not exist. */
  async function orphans(): Promise<Record<string, number>> {
    const db = house().running.house.database.read;
    const count = async (table: string, column: string, of: string) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)} t
        where not exists (select 1 from ${sql.table(of)} o where o.id = t.${sql.ref(column)})`.execute(db);
      return Number(rows[0]?.n);
    };
    return {
      messages: await count("messages", "channel_id", "channels"),
      reactions: await count("reactions", "message_id", "messages"),
      reaction_counts: await count("reaction_counts", "message_id", "messages"),
      mentions: await count("mentions", "message_id", "messages"),
      read_markers: await count("read_markers", "channel_id", "channels"),
      channels: await count("channels", "server_id", "servers"),
      members: await count("members", "server_id", "servers"),
      roles: await count("roles", "server_id", "servers"),
      member_roles: await count("member_roles", "role_id", "roles"),
      invites: await count("invites", "server_id", "servers"),
      bans: await count("bans", "server_id", "servers"),
    };
  }

  const nothing = {
    messages: 0,
    reactions: 0,
    reaction_counts: 0,
    mentions: 0,
    read_markers: 0,
    channels: 0,
    members: 0,
    roles: 0,
    member_roles: 0,
    invites: 0,
    bans: 0,
  };
  const messagesOf = async (channelId: string) => {
    const db = house().running.house.database.read;
    const rows = await db.selectFrom("messages").select("id").where("channel_id", "=", channelId).execute();
    return rows.length;
  };

  for (const what of ["channel", "server"] as const) {
    test(`a ${what}: every answer is 201 or 404, and afterwards nothing of it is left`, async () => {
      const home = await olga.makeServer();
      await olga.bringIn(home.id, ...writers);
      await olga.giveRole(home.id, writers[0] ?? olga, permission.MANAGE_MESSAGES);

      const answers = await rush(
        home.general.id,
        what === "channel" ? `/channels/${home.general.id}` : `/servers/${home.id}`,
      );

      expect([...new Set(answers)].sort()).toEqual(["201", "404 not_found"]);
      expect(verdict(await olga.get(`/channels/${home.general.id}/messages`))).toBe("404 not_found");
      await stored(house());
      await sweep(house());
      expect(await messagesOf(home.general.id)).toBe(0);
      expect(await orphans()).toEqual(nothing);
    });
  }

  test("who is removed while writing has said what was taken before it, and nothing after", async () => {
    const home = await olga.makeServer();
    await olga.bringIn(home.id, ...writers);
    const writer = writers[0] ?? olga;
    const ear = await olga.listen();
    const posts = Array.from({ length: 60 }, async (_, i) => {
      await Bun.sleep(i % 12);
      return insisted(() => writer.post(`/channels/${home.general.id}/messages`, { content: `${i}` }));
    });
    await Bun.sleep(4);
    await insisted(() => olga.delete(`/servers/${home.id}/members/${writer.id}`));
    const answers = await Promise.all(posts);
    await olga.say(home.general.id, "the end");
    await ear.until((frame) => String(frame.data.content) === "the end");

    const types = ear.frames
      .map((frame) => frame.type)
      .filter((type) => /MESSAGE_CREATE|MEMBER_REMOVE/.test(type));
    const taken = answers.filter((answer) => answer.status === 201).length;
    expect(types.indexOf("SERVER_MEMBER_REMOVE")).toBe(taken);
    expect(types).toHaveLength(taken + 2);
    ear.close();
  });
});
