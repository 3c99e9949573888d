// A copy on a failing network: missed events come with the resume, and the copy equals a fresh one.
import { expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { HandClock } from "../client/hand-clock.ts";
import { Relay } from "../client/relay.ts";
import { onEachEngine } from "../house/open/engines.ts";
import { Follower, quiet, seenOnline } from "./follower.ts";

onEachEngine("a cut connection", (house) => {
  test("Bob's copy is fresh after each of many cuts, whether what he missed is replayed or READY comes anew", async () => {
    const [alice, bob, carol] = [
      await house().person("alice"),
      await house().person("bob"),
      await house().person("carol"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob, carol);
    for (const person of [alice, bob, carol]) await seenOnline(person);
    const relay = await Relay.to(() => house().url);
    const clock = new HandClock();
    const follower = await Follower.of(bob, { url: relay.gateway, later: clock.later });
    await follower.look();
    const witness = await Follower.of(alice);
    const { listener } = follower;
    const said = (await bob.say(home.general.id, "Here I am")).id;

    const meanwhile: [comes: "READY" | "RESUMED", what: () => Promise<unknown>][] = [
      ["RESUMED", async () => alice.say(home.general.id, "You missed this")],
      [
        "RESUMED",
        async () => carol.patch(`/messages/${(await carol.say(home.general.id, "A")).id}`, { content: "B" }),
      ],
      ["RESUMED", async () => carol.post(`/messages/${said}/reactions`, { emoji: "🎉" })],
      ["RESUMED", async () => alice.delete(`/messages/${said}`)],
      ["RESUMED", async () => alice.post("/channels", { server_id: home.id, name: "den" })],
      ["RESUMED", async () => alice.giveRole(home.id, carol, permission.MANAGE_MESSAGES)],
      ["READY", async () => alice.giveRole(home.id, bob, permission.MANAGE_MESSAGES)],
      ["READY", async () => bob.makeServer("Bob's")],
      ["RESUMED", async () => alice.delete(`/servers/${home.id}/members/${carol.id}`)],
      ["READY", async () => alice.delete(`/servers/${home.id}/members/${bob.id}`)],
    ];
    for (const [i, [comes, happens]] of meanwhile.entries()) {
      relay.cut();
      await listener.untilIt("waiting");
      await happens();
      relay.restore();
      const before = listener.heard(comes).length;
      const { state } = listener.connection;
      if (state.is === "waiting") clock.turn(state.forMs);
      await listener.untilIt("live");
      expect([i, comes, listener.heard(comes).length]).toEqual([i, comes, before + 1]);
      await quiet([witness, follower], `mark ${i}`);
      await follower.expectFresh();
    }
    follower.close();
    witness.close();
    relay.close();
  });
});
