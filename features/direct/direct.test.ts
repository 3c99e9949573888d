// Direct conversations: opening one, writing in it, and what the people in it hear, on every device.
import { beforeEach, describe, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Conversation } from "../channels/contract.ts";
import type { ListedConversation } from "./contract.ts";

type Neighbours = Awaited<ReturnType<typeof neighbours>>;

onEachEngine("a conversation of two", (house) => {
  let stage: Neighbours;
  const ears: Ear[] = [];
  beforeEach(async () => {
    for (const ear of ears.splice(0)) ear.close();
    stage = await neighbours(house());
  });

  async function listen(
    person: Neighbours["alice"],
    ...point: Parameters<typeof person.listen>
  ): Promise<Ear> {
    const ear = await person.listen(...point);
    ears.push(ear);
    return ear;
  }

  const open = async (by: Neighbours["alice"], ...with_: { id: string }[]) =>
    by.post<Conversation>("/direct", { user_ids: with_.map(({ id }) => id) });
  const listed = async (by: Neighbours["alice"]) => (await by.get<ListedConversation[]>("/direct")).body;

  test("is opened once, whoever asks again, and is the other's with its first message", async () => {
    const { alice, bob } = stage;
    const [mine, theirs] = [await listen(alice), await listen(bob)];
    const { status, body: talk } = await open(alice, bob, alice, bob);
    expect(status).toBe(201);
    expect(talk).toMatchObject({ type: "direct", server_id: null, name: null, owner_id: null, position: 0 });
    expect(talk.recipients.map(({ id }) => id)).toEqual([alice.id, bob.id]);
    expect(await open(alice, bob)).toMatchObject({ status: 200, body: { id: talk.id } });
    expect((await listed(alice)).map(({ id }) => id)).toEqual([talk.id]);
    expect(await listed(bob)).toEqual([]);
    await alice.say(talk.id, "Hello, **Bob**");
    await bob.say(talk.id, "Hello, Alice");
    await mine.settle();
    await theirs.settle();
    const heard = (ear: Ear) =>
      ear.frames.flatMap(({ type, stream, seq }) => (seq && stream === "@me" ? [type] : []));
    for (const ear of [mine, theirs])
      expect(heard(ear)).toEqual(["CHANNEL_CREATE", "MESSAGE_CREATE", "MESSAGE_CREATE"]);
    expect((await listed(bob))[0]).toMatchObject({
      id: talk.id,
      last_message: { author_id: bob.id, excerpt: "Hello, Alice", attachment_count: 0 },
    });
  });

  test("is one conversation when both open it at the same moment", async () => {
    const { alice, bob } = stage;
    const answers = await Promise.all([
      open(alice, bob),
      open(bob, alice),
      open(alice, bob),
      open(bob, alice),
    ]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
  });

  test("is nobody else's: by no call, live, or on replay", async () => {
    const { alice, bob, carol, mallory } = stage;
    const { body: talk } = await open(alice, bob);
    const { id: messageId } = await alice.say(talk.id, "between us");
    for (const other of [carol, mallory]) {
      const ear = await listen(other);
      await alice.say(talk.id, "still between us");
      expect(verdict(await other.get(`/channels/${talk.id}`))).toBe("404 not_found");
      expect(verdict(await other.get(`/channels/${talk.id}/messages`))).toBe("404 not_found");
      expect(verdict(await other.post(`/channels/${talk.id}/messages`, { content: "me too" }))).toBe(
        "404 not_found",
      );
      expect(verdict(await other.get(`/messages/${messageId}`))).toBe("404 not_found");
      expect(verdict(await other.delete(`/direct/${talk.id}`))).toBe("404 not_found");
      await ear.settle();
      expect(JSON.stringify(ear.frames)).not.toContain(talk.id);
    }
  });

  describe("read again", () => {
    test("is in READY, and is replayed in order to a device that was away", async () => {
      const { alice, bob } = stage;
      const { body: talk } = await open(alice, bob);
      await alice.say(talk.id, "one");
      const ear = await listen(bob);
      expect((ear.ready.direct as unknown as ListedConversation[])[0]).toMatchObject({
        id: talk.id,
        permissions: 1795,
        last_message: { excerpt: "one" },
      });
      const { seq } = ear.ready.personal as unknown as { seq: number };
      const point = { ...ear.resumePoint, streams: { ...ear.resumePoint.streams, "@me": seq } };
      ear.close();
      await alice.say(talk.id, "two");
      await alice.say(talk.id, "three");
      const back = await listen(bob, point);
      expect(back.heard("MESSAGE_CREATE").map(({ data }) => data.content as unknown)).toEqual([
        "two",
        "three",
      ]);
    });
  });
});
