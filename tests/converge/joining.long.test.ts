// Race conditions: a socket opens while its person joins or leaves a server, or while another comes online.
import { expect, test } from "bun:test";
import { type Copy, copyAfter, copyFrom } from "../../client/copy.ts";
import type { Ready } from "../../client/ready.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { seenOnline } from "./follower.ts";

/** The copy of a client, which drops all events before READY. */
function copyOf(ear: Ear): Copy {
  const at = ear.frames.findIndex((frame) => frame.type === "READY");
  return ear.frames.slice(at + 1).reduce(copyAfter, copyFrom(ear.ready as unknown as Ready));
}

onEachEngine("crossing", (house) => {
  test("a person joins a server while their socket signs in: READY comes first, then every event once", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    for (let round = 0; round < 25; round++) {
      const home = await alice.makeServer(`round ${round}`);
      const invite = await alice.post("/invites", { server_id: home.id });
      const ear = await Ear.connect(house().url);
      const joining = bob.post(`/invites/${String(invite.body.code)}/join`);
      if (round % 2 === 0) await Bun.sleep(round % 5);
      ear.say("AUTH", { token: bob.token });
      const talking = Promise.all(Array.from({ length: 5 }, (_, i) => alice.say(home.general.id, `${i}`)));
      await Promise.all([joining, talking, ear.next("READY")]);
      // READY itself may contain the server already.
      const isIn = () => copyOf(ear).servers.some(({ id }) => id === home.id);
      await ear.untilAll(isIn);
      const last = await alice.say(home.general.id, "last");
      await ear.untilAll(() => ear.heard("MESSAGE_CREATE").some(({ data }) => String(data.id) === last.id));
      expect([round, ear.frames[0]?.type]).toEqual([round, "READY"]);
      const entry = [
        ...ear.heard("SERVER_CREATE").map(({ data }) => data as unknown as { id: string; seq: number }),
        ...(ear.ready.servers as unknown as { id: string; seq: number }[]),
      ];
      const starts = entry.filter(({ id }) => id === home.id);
      expect([round, starts.length]).toEqual([round, 1]);
      const seqs = ear.frames.flatMap(({ server_id, seq }) =>
        server_id === home.id && seq !== undefined ? [seq] : [],
      );
      expect([round, seqs]).toEqual([round, seqs.map((_, i) => (starts[0]?.seq ?? 0) + 1 + i)]);
      ear.close();
      await alice.delete(`/servers/${home.id}`);
    }
  });

  test("a person is kicked while their socket signs in: the server does not stay", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    for (let round = 0; round < 20; round++) {
      await alice.bringIn(home.id, bob);
      const ear = await Ear.connect(house().url);
      ear.say("AUTH", { token: bob.token });
      await alice.delete(`/servers/${home.id}/members/${bob.id}`);
      await ear.until(({ type }) => type === "READY");
      const isOut = () => copyOf(ear).servers.length === 0;
      if (!isOut()) await ear.until(isOut).catch(() => {});
      expect([round, isOut()]).toEqual([round, true]);
      await alice.say(home.general.id, "unheard");
      await ear.settle();
      expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
      ear.close();
    }
  });

  test("two people who come at the same moment see each other", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    for (let round = 0; round < 12; round++) {
      const [bob, carol] = [await house().person("bob"), await house().person("carol")];
      await alice.bringIn(home.id, bob, carol);
      const [his, hers] = await Promise.all([bob.listen(), carol.listen()]);
      for (const [ear, other] of [
        [his, carol],
        [hers, bob],
      ] as const) {
        const sees = () =>
          copyOf(ear).servers[0]?.presences.some(({ user_id }) => user_id === other.id) === true;
        if (!sees()) await ear.until(sees).catch(() => {});
        expect([round, sees()]).toEqual([round, true]);
      }
    }
  });

  test("a status that changes while somebody's socket signs in is known to them afterwards", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    await seenOnline(bob);
    const wishes = ["idle", "dnd", "online"] as const;
    for (let round = 0; round < 15; round++) {
      const status = wishes[round % 3] ?? "idle";
      const ear = await Ear.connect(house().url);
      ear.say("AUTH", { token: alice.token });
      await bob.put("/auth/me/presence", { status });
      await ear.next("READY");
      // The change may have been made on another process, and cross READY.
      const isBob = ({ user_id }: { user_id: string }) => user_id === bob.id;
      await ear.untilAll(() => copyOf(ear).servers[0]?.presences.find(isBob)?.status === status);
      ear.close();
    }
  });

  test("a profile that changes while somebody's socket signs in is known to its own person afterwards", async () => {
    const bob = await house().person("bob");
    await bob.makeServer();
    await seenOnline(bob);
    for (let round = 0; round < 15; round++) {
      const ear = await Ear.connect(house().url);
      ear.say("AUTH", { token: bob.token });
      await bob.patch("/auth/me", { display_name: `Bob ${round}` });
      await ear.next("READY");
      await ear.untilAll(() => copyOf(ear).user.display_name === `Bob ${round}`);
      ear.close();
    }
  });
});
