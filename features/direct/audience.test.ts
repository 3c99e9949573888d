// Each event of a conversation: the people in it hear it in their own streams, and nobody else hears anything.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import type { Conversation } from "../channels/contract.ts";

const names = ["ada", "ben", "former", "member", "stranger"] as const;
type Name = (typeof names)[number];

interface Scene {
  people: Record<Name, TestPerson>;
  group: Conversation;
}

const inIt: readonly Name[] = ["ada", "ben"];
const say = ({ people, group }: Scene) => people.ada.say(group.id, "a word");

/** By event: who hears it, and how it comes about. */
const events: Record<string, [heardBy: readonly Name[], cause: (scene: Scene) => Promise<unknown>]> = {
  MESSAGE_CREATE: [inIt, say],
  MESSAGE_UPDATE: [
    inIt,
    async (scene) =>
      scene.people.ada.patch(`/messages/${(await say(scene)).id}`, { content: "another word" }),
  ],
  MESSAGE_DELETE: [inIt, async (scene) => scene.people.ada.delete(`/messages/${(await say(scene)).id}`)],
  REACTION_ADD: [
    inIt,
    async (scene) => scene.people.ben.post(`/messages/${(await say(scene)).id}/reactions`, { emoji: "👍" }),
  ],
  REACTION_REMOVE: [
    inIt,
    async (scene) => {
      const { id } = await say(scene);
      await scene.people.ben.post(`/messages/${id}/reactions`, { emoji: "👍" });
      return scene.people.ben.delete(`/messages/${id}/reactions/${encodeURIComponent("👍")}`);
    },
  ],
  // The person who types does not receive it.
  TYPING_START: [["ben"], ({ people, group }) => people.ada.post(`/channels/${group.id}/typing`)],
  CHANNEL_UPDATE: [
    inIt,
    ({ people, group }) => people.ben.patch(`/channels/${group.id}`, { name: `The ${Math.random()}` }),
  ],
  // People who share no server any more hear it here alone.
  USER_UPDATE: [["ben"], ({ people }) => people.ada.patch("/auth/me", { bio: `Reads ${Math.random()}` })],
  // People in no server hear their own there, too.
  PRESENCE_UPDATE: [inIt, ({ people }) => people.ada.put("/auth/me/presence", { status: "idle" })],
};

onEachEngine("the events of a conversation", (house) => {
  let scene: Scene;
  const ears = {} as Record<Name, Ear>;

  beforeAll(async () => {
    const cast = await Promise.all(names.map((name) => house().person(name)));
    const people = Object.fromEntries(names.map((name, i) => [name, cast[i]])) as Scene["people"];
    const { ada, ben, former, member } = people;
    const server = await ada.makeServer();
    await ada.bringIn(server.id, ben, former, member);
    const user_ids = [ben.id, former.id];
    const group = (await ada.post<Conversation>("/direct", { user_ids })).body;
    await former.delete(`/channels/${group.id}/recipients/${former.id}`);
    // Nobody shares a server with anybody any more.
    await ada.delete(`/servers/${server.id}`);
    for (const name of names) ears[name] = await people[name].listen();
    scene = { people, group };
  });
  afterAll(() => {
    for (const ear of Object.values(ears)) ear.close();
  });

  const heard = (name: Name, event: string) =>
    ears[name].frames.filter(({ type, stream }) => type === event && stream === "@me").length;
  const quiet = () => Promise.all(names.map((name) => ears[name].settle()));

  for (const [event, [heardBy, cause]] of Object.entries(events))
    test(`${event} is heard by ${heardBy.join(", ")}`, async () => {
      await quiet();
      const before = new Map(names.map((name) => [name, heard(name, event)]));
      await cause(scene);
      for (const name of heardBy)
        await until(() => heard(name, event) > (before.get(name) ?? 0), `${name} does not hear ${event}`);
      await quiet();
      expect(names.filter((name) => heard(name, event) > (before.get(name) ?? 0))).toEqual([...heardBy]);
    });
});
