// Random conversations, blocks and departures: the server answers as the model does, and sockets hear what it says.
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Conversation } from "../../features/channels/contract.ts";
import type { ListedConversation } from "../../features/direct/contract.ts";
import type { Invite } from "../../features/invites/contract.ts";
import { onEachEngine, type TestHouse } from "../house/open/engines.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";
import { ConversationModel } from "./conversation-model.ts";

const runs = 40;
const people = 4;

const person = fc.nat({ max: people - 1 });
// An index into the first conversations that there are at that moment, taken modulo their number: in few of them more
// happens.
const talk = fc.nat({ max: 3 });
const step = <Name extends string>(name: Name) => fc.constant(name);

const attempt = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: step("open"), by: person, to: fc.array(person, { maxLength: 1 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: step("open"), by: person, to: fc.array(person, { maxLength: 4 }) }),
  },
  { weight: 8, arbitrary: fc.record({ do: step("speak"), by: person, talk }) },
  { weight: 3, arbitrary: fc.record({ do: step("add"), by: person, talk, who: person }) },
  { weight: 3, arbitrary: fc.record({ do: step("remove"), by: person, talk, who: person }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ by: person, talk })
      .map((each) => ({ ...each, do: "remove" as const, who: each.by })),
  },
  { weight: 5, arbitrary: fc.record({ do: step("hide"), by: person, talk }) },
  { weight: 6, arbitrary: fc.record({ do: step("block"), by: person, who: person, is: fc.boolean() }) },
  // Person 0 owns the server.
  { weight: 1, arbitrary: fc.record({ do: step("leave"), by: fc.integer({ min: 1, max: people - 1 }) }) },
  { weight: 1, arbitrary: fc.record({ do: step("join"), by: person }) },
  { weight: 1, arbitrary: fc.record({ do: step("close"), by: person, is: fc.boolean() }) },
);

type Attempt = typeof attempt extends fc.Arbitrary<infer T> ? T : never;

onEachEngine("random conversations", (house) => {
  test("every attempt gets the model's status, and is heard and listed as modelled", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 20, maxLength: 60 }), async (attempts) => {
        const scene = await Scene.set(house());
        const told: string[] = [];
        const expected: string[] = [];
        for (const each of attempts) {
          const name = JSON.stringify(each);
          const [status, modelStatus] = await scene.attempt(each);
          told.push(`${name} → ${status}`);
          expected.push(`${name} → ${modelStatus}`);
          if (status !== modelStatus) break;
        }
        expect(told).toEqual(expected);
        expect(await scene.listed()).toEqual(scene.modelledAsListed());
        expect(await scene.heard()).toEqual(scene.modelledAsHeard());
        scene.leave();
      }),
      { numRuns: runs, seed: 20261129, endOnFailure: true },
    );
  });
});

/** People who share one server, and the model beside them. */
class Scene {
  readonly #cast: readonly TestPerson[];
  readonly #serverId: string;
  readonly #code: string;
  readonly #ears: readonly Ear[];
  readonly #model = new ConversationModel(people);
  readonly #talkIds: string[] = [];
  /** By person, the messages that the model says they hear. */
  readonly #heard: string[][] = Array.from({ length: people }, () => []);

  private constructor(cast: readonly TestPerson[], serverId: string, code: string, ears: readonly Ear[]) {
    this.#cast = cast;
    this.#serverId = serverId;
    this.#code = code;
    this.#ears = ears;
  }

  /** The people are new ones in each run: two people have one conversation for good. */
  static async set(house: TestHouse): Promise<Scene> {
    const names = ["olga", "anna", "boris", "clara"];
    const cast = await Promise.all(names.map((name) => house.person(name)));
    const [owner, ...others] = cast;
    if (!owner) throw new Error("nobody is there");
    const { id } = await owner.makeServer();
    const { code } = (await owner.post<Invite>("/invites", { server_id: id })).body;
    for (const other of others) await other.post(`/invites/${code}/join`);
    const ears = await Promise.all(cast.map((each) => each.listen()));
    return new Scene(cast, id, code, ears);
  }

  /** Returns the server's status and the model's. */
  async attempt(attempt: Attempt): Promise<[number, number]> {
    const by = this.#person(attempt.by);
    const model = this.#model;
    switch (attempt.do) {
      case "open": {
        const user_ids = attempt.to.map((each) => this.#person(each).id);
        const answer = await by.post<Conversation>("/direct", { user_ids });
        const status = model.open(attempt.by, attempt.to);
        if (answer.status === 201) this.#talkIds.push(answer.body.id);
        return [answer.status, status];
      }
      case "block": {
        const path = `/blocks/${this.#person(attempt.who).id}`;
        const { status } = attempt.is ? await by.put(path) : await by.delete(path);
        return [status, model.block(attempt.by, attempt.who, attempt.is)];
      }
      case "leave": {
        const { status } = await by.delete(`/servers/${this.#serverId}/members/@me`);
        return [status, model.leaveServer(attempt.by)];
      }
      case "join":
        return [(await by.post(`/invites/${this.#code}/join`)).status, model.joinServer(attempt.by)];
      case "close": {
        const direct_from = attempt.is ? "nobody" : "shared_servers";
        return [(await by.patch("/auth/me", { direct_from })).status, model.close(attempt.by, attempt.is)];
      }
      default:
        return this.#inTalk(by, attempt);
    }
  }

  async #inTalk(by: TestPerson, attempt: Extract<Attempt, { talk: number }>): Promise<[number, number]> {
    const model = this.#model;
    const number = attempt.talk % Math.max(1, model.talks.length);
    const talk = model.talks[number];
    const id = this.#talkIds[number];
    if (!talk) return [0, 0];
    switch (attempt.do) {
      case "speak": {
        const answer = await by.post<{ id: string }>(`/channels/${id}/messages`, { content: "Hello." });
        const [status, hearers] = model.speak(attempt.by, talk);
        if (answer.status === 201) for (const each of hearers) this.#heard[each]?.push(answer.body.id);
        return [answer.status, status];
      }
      case "add": {
        const { status } = await by.put(`/channels/${id}/recipients/${this.#person(attempt.who).id}`);
        return [status, model.add(attempt.by, talk, attempt.who)];
      }
      case "remove": {
        const { status } = await by.delete(`/channels/${id}/recipients/${this.#person(attempt.who).id}`);
        return [status, model.remove(attempt.by, talk, attempt.who)];
      }
      case "hide":
        return [(await by.delete(`/direct/${id}`)).status, model.hide(attempt.by, talk)];
    }
  }

  /** The conversations in each person's list, by the server, and as their socket was told, where the order is ours. */
  async listed(): Promise<unknown> {
    const all = [];
    for (const [i, each] of this.#cast.entries()) {
      await this.#ears[i]?.settle();
      const { body } = await each.get<ListedConversation[]>("/direct?limit=100");
      const told = this.#toldTo(this.#ears[i] as Ear);
      all.push({
        listed: body.map((talk) => this.#facts(talk)),
        told: this.#talkIds.flatMap((id) => told.get(id) ?? []).map((talk) => this.#facts(talk)),
      });
    }
    return all;
  }

  modelledAsListed(): unknown {
    return this.#cast.map((_, i) => {
      const talks = this.#model.listOf(i);
      const newestFirst = talks.toSorted((one, other) => other.newest - one.newest);
      const facts = ({ number, people, owner }: (typeof talks)[number]) => ({ number, people, owner });
      return { listed: newestFirst.map(facts), told: talks.map(facts) };
    });
  }

  #toldTo(ear: Ear): Map<string, Conversation> {
    const told = new Map<string, Conversation>();
    for (const { type, stream, data } of ear.frames) {
      const talk = data as unknown as Conversation;
      if (type === "CHANNEL_CREATE" && stream === "@me") told.set(talk.id, talk);
      if (type === "CHANNEL_UPDATE" && told.has(talk.id)) told.set(talk.id, talk);
      if (type === "CHANNEL_DELETE" && stream === "@me") told.delete(talk.id);
    }
    return told;
  }

  /** A conversation as the model has it. */
  #facts({ id, recipients, owner_id }: Pick<Conversation, "id" | "recipients" | "owner_id">): unknown {
    const numberOf = (userId: string | null) => this.#cast.findIndex((each) => each.id === userId);
    return {
      number: this.#talkIds.indexOf(id),
      people: recipients.map((each) => numberOf(each.id)),
      owner: numberOf(owner_id),
    };
  }

  async heard(): Promise<unknown> {
    const all = [];
    for (const ear of this.#ears) {
      await ear.settle();
      all.push(ear.heard("MESSAGE_CREATE").map(({ data }) => String(data.id)));
    }
    return all;
  }

  modelledAsHeard(): unknown {
    return this.#heard;
  }

  leave(): void {
    for (const ear of this.#ears) ear.close();
  }

  #person(number: number): TestPerson {
    const person = this.#cast[number];
    if (!person) throw new Error(`there is no person ${number}`);
    return person;
  }
}
