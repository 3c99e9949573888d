// Overrides that change while messages, resumes and pushes are on their way: sockets hear exactly what the log says.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Ear, ResumePoint } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { allPushed, browserOf, withPushService } from "../../tests/house/scenes/pushes.ts";

const { VIEW_CHANNEL } = permission;
const changes = 12;

type Home = Awaited<ReturnType<typeof neighbours>>;

/** Keeps Carol out of the channel and lets her in again, by turns. */
async function toggle({ alice, carol, home }: Home): Promise<void> {
  const path = `/channels/${home.general.id}/overrides/${carol.id}`;
  for (let i = 0; i < changes; i++) {
    const answer = await alice.put(path, { kind: "member", deny: i % 2 === 0 ? VIEW_CHANNEL : 0 });
    if (answer.status !== 204) throw new Error(`the override was not set: ${answer.status}`);
  }
}

/** Posts one message after the other until told to stop. */
function poster(person: TestPerson, channelId: string): { stop(): Promise<void> } {
  let isOver = false;
  const posting = (async () => {
    for (let i = 0; !isOver; i++) await person.say(channelId, `word ${i}`);
  })();
  return {
    stop() {
      isOver = true;
      return posting;
    },
  };
}

/** The point from which the connection after this one resumes: a resumed one has no READY to begin from. */
function pointAfter(point: ResumePoint, ear: Ear, serverId: string): ResumePoint {
  if (ear.heard("READY").length > 0) return ear.resumePoint;
  const last = ear.frames.findLast(({ seq, server_id }) => seq !== undefined && server_id === serverId)?.seq;
  return last === undefined ? point : { ...point, streams: { [serverId]: last }, seen: {} };
}

const numbersOf = (ear: Ear) => ear.heard("MESSAGE_CREATE").map(({ seq }) => seq ?? 0);

/** The numbers of the messages that Carol may hear, by the log that somebody hears who sees all. */
function hearable(witness: Ear): number[] {
  let isHidden = false;
  const numbers: number[] = [];
  for (const { type, seq, data } of witness.frames) {
    if (type === "CHANNEL_OVERRIDES_UPDATE") isHidden = (data.overrides as unknown as unknown[]).length > 0;
    if (type === "MESSAGE_CREATE" && !isHidden) numbers.push(seq ?? 0);
  }
  return numbers;
}

onEachEngine("while overrides change", (house) => {
  test("a socket hears every message of the time that it sees the channel, and no other", async () => {
    const scene = await neighbours(house());
    const { alice, bob, carol, home } = scene;
    const [witness, hers] = [await alice.listen(), await carol.listen()];
    const posters = [poster(bob, home.general.id), poster(alice, home.general.id)];
    await toggle(scene);
    for (const each of posters) await each.stop();
    await witness.settle();
    await hers.settle();
    expect(witness.heard("CHANNEL_OVERRIDES_UPDATE")).toHaveLength(changes);
    expect(numbersOf(hers)).toEqual(hearable(witness));
    const sight = hers.frames.filter(({ type }) => /^CHANNEL_(CREATE|DELETE)$/.test(type));
    expect(sight.map(({ type }) => type)).toEqual(
      Array.from({ length: changes }, (_, i) => (i % 2 === 0 ? "CHANNEL_DELETE" : "CHANNEL_CREATE")),
    );
    witness.close();
    hers.close();
  });

  test("sockets that come, resume and go hear no message of a time when the channel is hidden", async () => {
    const scene = await neighbours(house());
    const { alice, bob, carol, home } = scene;
    const witness = await alice.listen();
    const posting = poster(bob, home.general.id);
    let isOver = false;
    const ears = [await carol.listen()];
    let point: ResumePoint = (ears[0] as Ear).resumePoint;
    const coming = (async () => {
      while (!isOver) {
        const last = ears.at(-1) as Ear;
        const next = await carol.listen(point);
        ears.push(next);
        last.close();
        point = pointAfter(point, next, home.id);
      }
    })();
    await toggle(scene);
    isOver = true;
    await coming;
    await posting.stop();
    await witness.settle();
    const last = ears.at(-1) as Ear;
    await last.settle();
    const allowed = new Set(hearable(witness));
    for (const ear of ears) expect(numbersOf(ear).filter((number) => !allowed.has(number))).toEqual([]);
    // The last one, which came before the end, hears on.
    const { id } = await bob.say(home.general.id, "the last word");
    await last.until(({ type, data }) => type === "MESSAGE_CREATE" && String(data.id) === id);
    for (const ear of [...ears, witness]) ear.close();
  });

  test("a message is judged by the overrides at its commit, whichever process it goes through", async () => {
    const scene = await neighbours(house());
    const { alice, carol, home } = scene;
    const path = `/channels/${home.general.id}/overrides/${carol.id}`;
    const answers: number[] = [];
    const witness = await alice.listen();
    let isOver = false;
    const tryOnce = async () => {
      const { status } = await carol.post(`/channels/${home.general.id}/messages`, { content: "May I?" });
      answers.push(status);
    };
    await tryOnce();
    const trying = (async () => {
      while (!isOver) await tryOnce();
    })();
    await toggle(scene);
    await alice.put(path, { kind: "member", deny: VIEW_CHANNEL });
    isOver = true;
    await trying;
    await tryOnce();
    await witness.settle();
    expect(new Set(answers)).toEqual(new Set([201, 404]));
    // None of hers has a number of a time when she did not see the channel.
    const said = witness.heard("MESSAGE_CREATE").map(({ seq }) => seq ?? 0);
    expect(said).toEqual(hearable(witness));
    expect(said).toHaveLength(answers.filter((status) => status === 201).length);
    witness.close();
  });
});

withPushService("a push that waits", (house, service) => {
  test("is not sent to who was kept out meanwhile", async () => {
    const { alice, bob, carol, home } = await neighbours(house());
    const [his, hers] = [await browserOf(bob, service()), await browserOf(carol, service())];
    await alice.say(home.general.id, `@${bob.username} @${carol.username} come`);
    const path = `/channels/${home.general.id}/overrides/${carol.id}`;
    await alice.put(path, { kind: "member", deny: VIEW_CHANNEL });
    await allPushed(house());
    expect([service().notices(his).length, service().notices(hers).length]).toEqual([1, 0]);
  });
});
