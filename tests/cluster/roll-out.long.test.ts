// A rolling upgrade: the last release's program beside this one on one database, until its last process is replaced.
import { describe, expect, test } from "bun:test";
import type { Channel, Conversation } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { at, canCluster, makeCluster } from "../house/open/cluster.ts";
import { Ear } from "../house/people/ear.ts";
import { TestPerson } from "../house/people/people.ts";
import { hasLastRelease, unpackLastRelease } from "../house/servers/last-release.ts";

const can = canCluster && hasLastRelease;
const missing = canCluster ? "history" : "PostgreSQL or Redis";

describe.skipIf(!can)(can ? "a roll-out" : `a roll-out (skipped: no ${missing} here)`, () => {
  test("has both releases talk on the tables of the newer one, and either may start again", async () => {
    await using cluster = await makeCluster();
    using release = unpackLastRelease();
    const old = (name: string) => startServer({ settings: cluster.settings(name), command: release.command });
    const running: ServerProcess[] = [];
    const started = async (starting: Promise<ServerProcess>) => {
      const server = await starting;
      running.push(server);
      return server;
    };
    try {
      const first = await started(old("first"));
      const second = await started(old("second"));
      const alice = await TestPerson.register({ url: first.url }, "alice");
      const home = await alice.makeServer();
      const bob = await TestPerson.register({ url: second.url }, "bob");
      await alice.bringIn(home.id, bob);
      const carol = await TestPerson.register({ url: first.url }, "carol");
      await alice.bringIn(home.id, carol);
      const den = (await alice.post<Channel>("/channels", { server_id: home.id, name: "den" })).body;
      const hers = await alice.listen();
      const carols = await carol.listen();

      await second.stop();
      const third = await started(startServer({ settings: cluster.settings("second") }));
      const his = await at(third.url, bob).listen();
      // A channel hidden at the newer release is silent at the last one, which cannot judge who may hear it.
      const secret = await hide(den, at(third.url, alice), carol);
      await his.until(({ data }) => String(data.content) === secret);
      // So is a conversation: the last release knows no channel outside of servers.
      const { id: pairId, said: between } = await converse(at(third.url, alice), bob);
      await his.until(({ data }) => String(data.content) === between);
      await talk(home, alice, at(third.url, bob), [hers, his, carols]);
      for (const ear of [hers, carols]) expect(JSON.stringify(ear.frames)).not.toContain(secret);
      expect(JSON.stringify(carols.frames)).not.toContain(between);
      for (const { url } of [first, third])
        expect((await at(url, carol).get(`/channels/${pairId}/messages`)).status).not.toBe(200);
      expect((await carol.get(`/channels/${den.id}/messages`)).status).toBe(404);

      // The last release starts again on the migrated tables of this one.
      await first.stop();
      const fourth = await started(old("first"));
      const back = await Ear.open(fourth.url, alice.token, hers.resumePoint);
      expect(back.types.at(-1)).toBe("RESUMED");
      await talk(home, at(fourth.url, alice), at(third.url, bob), [back, his]);

      await fourth.stop();
      const fifth = await started(startServer({ settings: cluster.settings("first") }));
      // People who come from a process of the last release get a fresh state, as they may have missed something.
      const last = back.frames.findLast(({ seq }) => seq !== undefined)?.seq ?? 0;
      const point = { ...hers.resumePoint, streams: { [home.id]: last }, seen: {} };
      const again = await Ear.open(fifth.url, alice.token, point);
      const channels = (ear: Ear) =>
        (ear.ready.servers as unknown as { channels: Channel[] }[])[0]?.channels.map(({ id }) => id);
      expect(channels(again)).toEqual([home.general.id, den.id]);
      const conversations = again.ready.direct as unknown as Conversation[];
      expect(conversations.map(({ id }) => id)).toEqual([pairId]);
      const [kept] = (await at(fifth.url, bob).get<Message[]>(`/channels/${pairId}/messages`)).body;
      expect(kept?.content).toBe(between);
      const [said] = (await at(fifth.url, alice).get<Message[]>(`/channels/${den.id}/messages`)).body;
      expect(said?.content).toBe(secret);
      const listed = await at(fifth.url, carol).get<Channel[]>(`/channels?server_id=${home.id}`);
      expect(listed.body.map(({ id }) => id)).toEqual([home.general.id]);
      await talk(home, at(fifth.url, alice), at(third.url, bob), [again, his]);
    } finally {
      for (const server of running) await server.stop();
    }
  });
});

/** Keeps somebody out of a channel, and says something there that they must not hear. */
async function hide(channel: Channel, owner: TestPerson, from: TestPerson): Promise<string> {
  const path = `/channels/${channel.id}/overrides/${from.id}`;
  const answer = await owner.put(path, { kind: "member", deny: permission.VIEW_CHANNEL });
  expect(answer.status).toBe(204);
  return (await owner.say(channel.id, "Carol must not hear this.")).content;
}

/** Begins a conversation of two, and says something there that nobody else must hear. */
async function converse(alice: TestPerson, bob: TestPerson): Promise<{ id: string; said: string }> {
  const { id } = (await alice.post<Conversation>("/direct", { user_ids: [bob.id] })).body;
  return { id, said: (await alice.say(id, "Between the two of us.")).content };
}

type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** Each says something that both hear; Bob's process learns of Alice's change to the server. */
async function talk(home: Home, alice: TestPerson, bob: TestPerson, ears: readonly Ear[]): Promise<void> {
  for (const [who, content] of [
    [alice, "to the other release"],
    [bob, "and back"],
  ] as const) {
    const said = await who.say(home.general.id, content);
    for (const ear of ears)
      for (;;) {
        const heard = await ear.next("MESSAGE_CREATE");
        if ((heard.data as { id?: string }).id === said.id) break;
      }
  }
  const name = `Home ${Math.random()}`;
  expect((await alice.patch(`/servers/${home.id}`, { name })).status).toBe(200);
  for (const ear of ears) expect((await ear.next("SERVER_UPDATE")).data).toMatchObject({ name });
  expect((await bob.get<{ name: string }>(`/servers/${home.id}`)).body.name).toBe(name);
}
