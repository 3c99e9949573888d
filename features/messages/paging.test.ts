// Reading a channel page by page: from every cursor, with every limit, without gaps or duplicates.
import { beforeAll, expect, test } from "bun:test";
import { lowestIdAt } from "../../protocol/ids.ts";
import { limits } from "../../protocol/limits.ts";
import type { OldReads } from "../../server/database/database.ts";
import { longestText } from "../../tests/house/material/texts.ts";
import { onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Message } from "./contract.ts";

onEachEngine("paging", (house) => {
  let olga: TestPerson;
  let path: string;
  let other: Message;
  /** The ids of the messages, oldest first, and their number. */
  const ids: string[] = [];
  const said = 120;

  beforeAll(async () => {
    olga = await house().person("olga");
    const home = await olga.makeServer();
    path = `/channels/${home.general.id}/messages`;
    ids.length = 0;
    for (let i = 0; i < said; i++) ids.push((await olga.say(home.general.id, `number ${i}`)).id);
    const room = (await olga.post<{ id: string }>("/channels", { server_id: home.id, name: "other" })).body;
    other = await olga.say(room.id, "elsewhere");
  });

  const page = async (query: string) => {
    const { status, body, headers } = await olga.get<Message[]>(`${path}${query}`);
    if (status !== 200) throw new Error(`${query}: ${JSON.stringify(body)}`);
    return { ids: body.map((message) => message.id), more: headers.get("x-has-more") === "true" };
  };
  /** Messages from number `from` to before number `to`, newest first. */
  const newestFirst = (from: number, to: number) => ids.slice(from, to).reverse();

  test("a hundred of the longest messages are written some at a time", async () => {
    const room = (await olga.post<{ id: string }>("/channels", { server_id: other.server_id, name: "long" }))
      .body;
    const content = "🐸".repeat(limits.message_max);
    const long: string[] = [];
    for (let i = 0; i < 100; i++) long.unshift((await olga.say(room.id, content)).id);
    for (const limit of [100, 50]) {
      const { answer, characters } = await longestText(() =>
        olga.get<Message[]>(`/channels/${room.id}/messages?limit=${limit}`),
      );
      expect(answer.body.map((message) => message.id)).toEqual(long.slice(0, limit));
      expect(answer.body.every((message) => message.content === content)).toBe(true);
      expect(characters).toBeLessThan(300_000);
    }
  });

  test("the ids of one channel are in the order in which they were said", () => {
    expect([...ids].sort()).toEqual(ids);
  });

  test("without a word it is the newest fifty, newest first", async () => {
    expect(await page("")).toEqual({ ids: newestFirst(70, 120), more: true });
  });

  test("limits below 1 and above 100 are taken for 1 and 100", async () => {
    expect(await page("?limit=1")).toEqual({ ids: newestFirst(119, 120), more: true });
    expect(await page("?limit=0")).toEqual({ ids: newestFirst(119, 120), more: true });
    expect(await page("?limit=-1")).toEqual({ ids: newestFirst(119, 120), more: true });
    expect(await page("?limit=100")).toEqual({ ids: newestFirst(20, 120), more: true });
    expect(await page("?limit=101")).toEqual({ ids: newestFirst(20, 120), more: true });
    expect(await page("?limit=999999999999999")).toEqual({ ids: newestFirst(20, 120), more: true });
    expect(await page("?limit=99999999999999999999999999")).toEqual({
      ids: newestFirst(20, 120),
      more: true,
    });
  });

  test("before: walking back by any step meets every message once, and ends with no more", async () => {
    for (const step of [7, 40, 60, 100]) {
      const walked: string[] = [];
      for (let more = true, cursor = ""; more; ) {
        const next = await page(`?limit=${step}${cursor}`);
        walked.push(...next.ids);
        more = next.more;
        cursor = `&before=${next.ids.at(-1)}`;
        expect(more).toBe(walked.length < said);
      }
      expect(walked).toEqual(newestFirst(0, said));
    }
    expect(await page(`?before=${ids[0]}`)).toEqual({ ids: [], more: false });
  });

  test("after: the messages that follow the cursor, newest of them first", async () => {
    expect(await page(`?after=${ids[9]}&limit=5`)).toEqual({ ids: newestFirst(10, 15), more: true });
    expect(await page(`?after=${ids[114]}&limit=5`)).toEqual({ ids: newestFirst(115, 120), more: false });
    expect(await page(`?after=${ids[113]}&limit=5`)).toEqual({ ids: newestFirst(114, 119), more: true });
    expect(await page(`?after=${ids[119]}`)).toEqual({ ids: [], more: false });
    const walked: string[] = [];
    for (let more = true, cursor = "00000000-0000-0000-0000-000000000000"; more; ) {
      const next = await page(`?limit=33&after=${cursor}`);
      walked.push(...next.ids.reverse());
      more = next.more;
      cursor = walked.at(-1) ?? "";
    }
    expect(walked).toEqual(ids);
  });

  test("around: oldest first, with the message itself in it", async () => {
    expect(await page(`?around=${ids[60]}&limit=5`)).toEqual({ ids: ids.slice(58, 63), more: true });
    expect(await page(`?around=${ids[60]}&limit=4`)).toEqual({ ids: ids.slice(58, 62), more: true });
    expect(await page(`?around=${ids[60]}&limit=1`)).toEqual({ ids: ids.slice(60, 61), more: true });
    const [first, last] = [
      await page(`?around=${ids[0]}&limit=5`),
      await page(`?around=${ids[119]}&limit=5`),
    ];
    expect(first.ids.slice(0, 3)).toEqual(ids.slice(0, 3));
    expect(first.more).toBe(true);
    expect(last.ids.slice(-3)).toEqual(ids.slice(117));
    expect(last.more).toBe(true);
  });

  test("cursors need not be of this channel, nor exist any more, nor ever: ids order", async () => {
    expect(await page(`?before=${other.id}&limit=3`)).toEqual({ ids: newestFirst(117, 120), more: true });
    expect(await page(`?after=${other.id}`)).toEqual({ ids: [], more: false });
    expect(await page("?before=ffffffff-ffff-ffff-ffff-ffffffffffff&limit=2")).toEqual({
      ids: newestFirst(118, 120),
      more: true,
    });
    const home = path.split("/")[2] ?? "";
    const gone = await olga.say(home, "soon gone");
    await olga.delete(`/messages/${gone.id}`);
    expect(await page(`?before=${gone.id}&limit=2`)).toEqual({ ids: newestFirst(118, 120), more: true });
    expect((await page(`?around=${gone.id}&limit=4`)).ids).toEqual(ids.slice(118));
    expect(await page(`?before=${ids[5]?.toUpperCase()}&limit=2`)).toEqual({
      ids: newestFirst(3, 5),
      more: true,
    });
  });

  test("what is no id and no whole number is refused, and so are two cursors", async () => {
    const wrong = [
      "limit=NaN",
      "limit=1.5",
      "limit=1e2",
      "limit=",
      "limit=%00",
      "limit=ten",
      "limit=1&limit=2",
      "before=newest",
      "before=",
      "after=1",
      "around=%00",
      `before=${ids[3]}&before=${ids[4]}`,
      `before=${ids[3]}&after=${ids[1]}`,
      `around=${ids[3]}&after=${ids[1]}`,
      `before=${ids[3]}'--`,
    ];
    for (const query of wrong) {
      expect([query, verdict(await olga.get(`${path}?${query}`))]).toEqual([query, "400 invalid_request"]);
    }
    expect((await page("?unknown=1&limit=2")).ids).toHaveLength(2);
  });

  test("the newest page, which is kept, is never older than the last answer somebody got", async () => {
    const home = path.split("/")[2] ?? "";
    const seen: string[] = [];
    for (let round = 0; round < 10; round++) {
      const posts = Promise.all(Array.from({ length: 5 }, (_, i) => olga.say(home, `round ${round} ${i}`)));
      const readers = Promise.all(Array.from({ length: 5 }, () => page("")));
      const posted = (await posts).map((message) => message.id);
      seen.push(...posted);
      await readers;
      const now = (await page("")).ids;
      expect(posted.filter((id) => !now.includes(id))).toEqual([]);
    }
    const edited = seen.at(-1) ?? "";
    await olga.patch(`/messages/${edited}`, { content: "corrected" });
    const { body } = await olga.get<Message[]>(path);
    const corrected = body.filter((message) => message.content === "corrected");
    expect(corrected.map((message) => message.id)).toEqual([edited]);
    await olga.delete(`/messages/${seen[0]}`);
    expect((await page("")).ids).not.toContain(seen[0] ?? "");
  });
});

onOneProcess("paging beside a replica", (house) => {
  test("asks it for pages that end more than a minute ago, and for none that may be new", async () => {
    const olga = await house().person("olga");
    const { general } = await olga.makeServer();
    const said = [await olga.say(general.id, "one"), await olga.say(general.id, "two")];
    const { database } = house().running.house;
    let asked = 0;
    const replica: OldReads = {
      trouble: undefined,
      start: () => {},
      now: () => Date.now(),
      read(work) {
        asked++;
        return work(database.read);
      },
    };
    Object.assign(database, { replica });
    const asks = async (query: string) => {
      const before = asked;
      const { status } = await olga.get(`/channels/${general.id}/messages?${query}`);
      expect(status).toBe(200);
      return asked - before;
    };
    const ago = (ms: number) => lowestIdAt(Date.now() - ms);
    expect(await asks(`before=${ago(70_000)}`)).toBe(1);
    for (const query of [
      "",
      "limit=10",
      `before=${said[1]?.id}`,
      `before=${ago(20_000)}`,
      `after=${ago(70_000)}`,
      `around=${ago(70_000)}`,
    ])
      expect([query, await asks(query)]).toEqual([query, 0]);
    // The clock of the process may be ahead of the database's.
    Object.assign(replica, { now: () => Date.now() - 60_000 });
    expect([await asks(`before=${ago(70_000)}`), await asks(`before=${ago(200_000)}`)]).toEqual([0, 1]);
  });
});
