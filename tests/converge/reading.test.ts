// The unread counts that a copy derives from messages equal those of a fresh READY.
import { expect, spyOn, test } from "bun:test";
import { ownStream } from "../../protocol/frames.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { neighbours } from "../house/scenes/home.ts";
import { stored } from "../house/scenes/read-states.ts";
import { Follower, quiet } from "./follower.ts";

onEachEngine("a copy of what is read", (house) => {
  test("Bob's is fresh after every message, correction, deletion and marker", async () => {
    const { alice, bob, carol, home } = await neighbours(house());
    const general = home.general.id;
    const den = String((await alice.post("/channels", { server_id: home.id, name: "den" })).body.id);
    const role = await alice.giveRole(home.id, bob, 0);
    const [follower, witness] = [await Follower.of(bob), await Follower.of(alice)];
    await follower.look();
    const said: string[] = [];
    const say = (who: typeof alice, channel: string, text: string) => async () => {
      said.push((await who.say(channel, text)).id);
    };
    const newest = () => said.at(-1) ?? "";
    const call = `<@${bob.id}>`;

    const steps: Record<string, () => Promise<unknown>> = {
      "Alice posts": say(alice, general, "one"),
      "Alice calls Bob": say(alice, general, call),
      "Alice calls everyone": say(alice, general, "@everyone"),
      "Alice calls Bob's role": say(alice, general, `<@&${role.id}>`),
      "She takes that back": () => alice.delete(`/messages/${newest()}`),
      "Carol calls Bob in the den": say(carol, den, call),
      "She corrects it, so that it calls nobody": () =>
        carol.patch(`/messages/${newest()}`, { content: "nobody" }),
      "She corrects it again": () => carol.patch(`/messages/${newest()}`, { content: `${call}, sorry` }),
      "She corrects it once more": () => carol.patch(`/messages/${newest()}`, { content: `${call}!` }),
      "Bob marks the first as read": () => bob.put(`/channels/${general}/read`, { message_id: said[0] }),
      "Bob answers in general": say(bob, general, `I, ${call}, answer`),
      "Carol calls him again": say(carol, general, call),
      "Bob marks everything as unread": () => bob.put(`/channels/${general}/read`, { message_id: null }),
      "Bob reads the server": () => bob.post(`/servers/${home.id}/read`),
      "Bob blocks Carol, who calls him": async () => {
        await bob.put(`/blocks/${carol.id}`);
        await carol.say(den, call);
      },
      "Alice opens a channel and calls Bob there": async () => {
        const made = await alice.post("/channels", { server_id: home.id, name: "attic" });
        await alice.say(String(made.body.id), call);
      },
      "Alice closes the den": () => alice.delete(`/channels/${den}`),
      "Alice brings Bob into another server": async () => {
        const club = await alice.makeServer("Club");
        await alice.say(club.general.id, "@everyone");
        await alice.bringIn(club.id, bob);
        await alice.say(club.general.id, "@everyone");
      },
    };
    for (const [i, [what, step]] of Object.entries(steps).entries()) {
      await step();
      await stored(house());
      await quiet([witness, follower], `mark ${i}`);
      try {
        await follower.expectFreshReading();
      } catch (error) {
        throw new Error(`after "${what}": ${(error as Error).message}`);
      }
    }
    expect(follower.copy.readStates.size).toBe(3);
    follower.close();
    witness.close();
  });

  test("who is called in the moment of coming in reads of it: on the sockets that are there, as in READY", async () => {
    const { alice, bob } = await neighbours(house());
    const [follower, witness] = [await Follower.of(bob), await Follower.of(alice)];
    const club = await alice.makeServer("Club");
    const den = String((await alice.post("/channels", { server_id: club.id, name: "den" })).body.id);
    await alice.say(club.general.id, "@everyone, before");
    // The mention comes after the join, and before Bob's process reads the server that he joined.
    let isCalled = false;
    const looks = house().all.map(({ house: { database } }) => {
      const look = database.snapshot.bind(database);
      return spyOn(database, "snapshot").mockImplementation(async (work) => {
        if (!isCalled) {
          isCalled = true;
          await alice.say(den, "@everyone, meanwhile");
        }
        return look(work);
      });
    });
    try {
      await alice.bringIn(club.id, bob);
      await quiet([witness, follower], "came in");
      expect(isCalled).toBe(true);
    } finally {
      for (const each of looks) each.mockRestore();
    }
    await follower.expectFreshReading();
    const heard = follower.listener.frames.filter(({ type }) => type === "READ_STATE_UPDATE");
    expect(heard.map(({ data }) => `${data.channel_id} ${data.mention_count}`)).toEqual([`${den} 1`]);
    expect(heard.map(({ stream, seq }) => `${stream} ${seq}`)).toEqual([`${ownStream} undefined`]);
    follower.close();
    witness.close();
  });
});
