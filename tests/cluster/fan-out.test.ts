// Two processes form one Hearth: changes on one are heard and hold on the other, through Redis and without it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { setTimeout as sleep } from "node:timers/promises";
import { voiceMuted } from "../../features/voice/contract.ts";
import { permission } from "../../protocol/permissions.ts";
import type { SharedBus } from "../../server/bus/shared.ts";
import { personStream, serverPlace } from "../../server/place.ts";
import { newId } from "../../server/tokens.ts";
import { until } from "../house/machine/waiting.ts";
import { at, canCluster, type OpenCluster, openCluster } from "../house/open/cluster.ts";
import type { Ear } from "../house/people/ear.ts";
import type { TestPerson } from "../house/people/people.ts";

const title = canCluster ? "" : " (skipped: no PostgreSQL or no Redis here)";

describe.skipIf(!canCluster)(`two processes${title}`, () => {
  let cluster: OpenCluster;
  let alice: TestPerson;
  let bob: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    cluster = await openCluster(2);
  });
  afterAll(() => cluster?.[Symbol.asyncDispose]());

  // Alice always calls the first process, and Bob the second.
  beforeEach(async () => {
    const [one, other] = cluster.houses.map((house) => house.url);
    alice = at(one!, await cluster.houses[0]!.person("alice"));
    home = await alice.makeServer();
    bob = at(one!, await cluster.houses[0]!.person("bob"));
    await alice.bringIn(home.id, bob);
    bob = at(other!, bob);
  });

  const seqs = (ear: Ear) =>
    ear.frames.flatMap(({ server_id, seq }) => (server_id === home.id && seq ? seq : []));

  function together() {
    test("messages go to and fro, each once and in the order of its number", async () => {
      const [hers, his] = [await alice.listen(), await bob.listen()];
      for (let i = 0; i < 20; i++) {
        await alice.say(home.general.id, `there ${i}`);
        await bob.say(home.general.id, `back ${i}`);
      }
      for (const ear of [hers, his]) {
        await until(
          () => ear.frames.filter(({ type }) => type === "MESSAGE_CREATE").length >= 40,
          "some are missing",
        );
        const numbers = seqs(ear);
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
        expect(new Set(numbers).size).toBe(numbers.length);
      }
    });

    test("the newest page has what was written, changed and deleted elsewhere", async () => {
      const path = `/channels/${home.general.id}/messages`;
      const contents = async () =>
        (await bob.get<{ content: string }[]>(path)).body.map(({ content }) => content);
      await alice.say(home.general.id, "first");
      await until(async () => (await contents()).length === 1, "the first message is not there");
      const second = await alice.say(home.general.id, "second");
      await until(async () => (await contents()).length === 2, "the second message is not there");
      await alice.patch(`/messages/${second.id}`, { content: "changed" });
      await until(async () => (await contents()).includes("changed"), "the change is not there");
      await alice.delete(`/messages/${second.id}`);
      await until(async () => (await contents()).length === 1, "it is still there");
    });

    test("who is brought into a server elsewhere gets it, and hears it from then on", async () => {
      const ear = await bob.listen();
      const garden = await alice.makeServer("Garden");
      const invite = await alice.post<{ code: string }>("/invites", { server_id: garden.id });
      // Bob joins through another process than the one with his socket.
      expect((await at(alice.host.url, bob).post(`/invites/${invite.body.code}/join`)).status).toBe(200);
      expect((await ear.next("SERVER_CREATE")).data).toMatchObject({ id: garden.id });
      await alice.say(garden.general.id, "welcome");
      expect((await ear.next("MESSAGE_CREATE")).data).toMatchObject({ content: "welcome" });
    });

    test("what one does on one device is heard on another of one's own", async () => {
      const ear = await bob.listen();
      const said = await alice.say(home.general.id, "read me");
      await ear.next("MESSAGE_CREATE");
      const elsewhere = at(alice.host.url, bob);
      expect((await elsewhere.put(`/channels/${home.general.id}/read`, { message_id: said.id })).status).toBe(
        204,
      );
      await until(
        () => ear.frames.some(({ type }) => type === "READ_STATE_UPDATE"),
        "the marker is not heard",
      );
    });

    test("a right that is taken on one process is gone on the other", async () => {
      const path = `/channels/${home.general.id}/messages`;
      expect((await bob.post(path, { content: "still" })).status).toBe(201);
      const rest = home.everyone.permissions & ~permission.SEND_MESSAGES;
      await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: rest });
      await until(async () => (await bob.post(path, { content: "more" })).status === 403, "it still holds");
    });

    test("who is sent away hears it last, and is no member on either process", async () => {
      const garden = await alice.makeServer("Garden");
      await alice.bringIn(garden.id, bob);
      const ear = await bob.listen();
      await alice.delete(`/servers/${home.id}/members/${bob.id}`);
      await ear.next("SERVER_MEMBER_REMOVE");
      await until(async () => (await bob.get(`/servers/${home.id}`)).status === 404, "still a member");
      await alice.say(home.general.id, "among ourselves");
      // He still receives what he may see.
      await alice.say(garden.general.id, "among us three");
      await ear.next("MESSAGE_CREATE");
      const ofHome = ear.frames.filter(({ server_id }) => server_id === home.id);
      expect(ofHome.at(-1)?.type).toBe("SERVER_MEMBER_REMOVE");
      expect(ear.heard("MESSAGE_CREATE")).toHaveLength(1);
    });

    test("live frames come in their order to somebody who signs in at a process that did not follow the server", async () => {
      const [here, there] = cluster.houses.map(({ running }) => running.house);
      const tell = (muted: boolean) =>
        here!.write(async (unit) =>
          unit.tell(voiceMuted, serverPlace(home.id), {
            ...{ channel_id: home.general.id, user_id: alice.id, muted },
          }),
        );
      await tell(false);
      const ear = await bob.listen();
      await tell(true);
      await ear.until(({ type, data }) => type === "VOICE_MUTE" && Object(data).muted === true);
      // Frames from before that are still under way have arrived by then.
      const unknown = personStream(newId());
      there!.bus.follow(unknown);
      await there!.bus.caughtUp([unknown]);
      await ear.settle();
      expect(ear.heard("VOICE_MUTE").at(-1)?.data).toMatchObject({ muted: true });
    });

    test("a session that ends on one process ends its sockets and calls on the other", async () => {
      const ear = await bob.listen();
      expect((await bob.get("/auth/me")).status).toBe(200);
      expect((await at(alice.host.url, bob).post("/auth/logout")).status).toBe(204);
      expect((await ear.closed).code).toBe(4010);
      expect((await bob.get("/auth/me")).status).toBe(401);
    });
  }

  describe("through Redis", () => {
    together();

    test("who types is seen", async () => {
      const ear = await bob.listen();
      const typist = await alice.listen();
      // Typing is not stored: events are lost before Redis knows the server's subscribers.
      const [hers, his] = cluster.houses.map(({ running }) => running.house.bus as SharedBus);
      await until(
        () => hers!.isCarried && [...his!.followed()].every(([, { isComing }]) => isComing),
        "nothing comes",
      );
      // So are events of a process whose own pulse has not come back for a moment.
      await until(async () => {
        typist.say("TYPING_START", { channel_id: home.general.id });
        await sleep(200);
        return ear.heard("TYPING_START").length > 0;
      }, "nobody sees it");
      expect((await ear.next("TYPING_START")).data).toMatchObject({ user_id: alice.id });
    });
  });

  describe("while Redis stands still", () => {
    beforeAll(() => cluster.redis.freeze());
    afterAll(() => cluster.redis.thaw());
    together();
  });

  describe("after it stood still", () => together());
});
