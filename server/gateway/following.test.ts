// A server's stream that fails to start loses none of the events that it was given meanwhile; live frames go to
// everybody but one person.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { LoggedEvent } from "../bus/bus.ts";
import { everybodyIn, serverStream } from "../place.ts";
import { leastHeld, topicOf } from "./audience.ts";
import { Following } from "./following.ts";
import { handedOver, Socket } from "./socket.ts";

onEachEngine("following", (house) => {
  test("whoever becomes a member while the stream fails to begin is told all the same", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    const running = house().running.house;
    const socket = new Socket(undefined, "127.0.0.1");
    const gained: unknown[] = [];
    const following = new Following(running, {
      published() {},
      socketsOf: (userId) => (userId === bob.id ? [socket] : []),
      gained: (...which) => gained.push(which),
      uncertain() {},
    });
    const joined: LoggedEvent = {
      kind: "logged",
      stream: serverStream(home.id),
      seq: 2,
      frame: "{}",
      audience: "members",
      forgets: [],
      version: undefined,
      touches: [bob.id],
      ends: null,
    };
    const rename = (from: string, to: string) =>
      running.database.transaction((db) =>
        sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(db),
      );
    await rename("streams", "streams_away");
    try {
      const joining = following.join([serverStream(home.id)]);
      following.route(joined);
      expect(gained).toEqual([]);
      await expect(joining).rejects.toThrow();
    } finally {
      await rename("streams_away", "streams");
    }
    expect(gained).toEqual([[bob.id, home.id]]);
  });

  test("what came while somebody's state loaded is told to those alone who hold its audience", () => {
    const nothing = { published() {}, socketsOf: () => [], gained() {}, uncertain() {} };
    const following = new Following(house().running.house, nothing);
    const id = crypto.randomUUID();
    const stream = serverStream(id);
    const sent: string[] = [];
    const socket = new Socket(undefined, "127.0.0.1");
    socket.wire = wireWith({ send: (frame) => sent.push(frame) });
    const event = (seq: number, audience: string): LoggedEvent => ({
      ...{ kind: "logged", stream, seq, audience, frame: `${seq} for ${audience}` },
      ...{ forgets: [], version: undefined, touches: [], ends: null },
    });
    const [everybody = ""] = leastHeld;
    const missed = [event(7, everybody), event(8, "viewers"), event(9, everybody)];
    const view = { id, stream, seq: 7, at: 0, held: leastHeld, roleIds: [], json: "{}" };
    expect(following.catchUp(socket, view, missed)).toBe(1);
    expect(sent).toEqual([`9 for ${everybody}`]);
  });

  test("a live frame is published once, to the sockets of all but one person, and counts for each that gets it", () => {
    const { house: running } = house().running;
    const to = everybodyIn(serverStream(crypto.randomUUID()));
    const deeds: string[] = [];
    const open = (name: string, held: ReadonlySet<string> | undefined) => {
      const socket = new Socket(undefined, "127.0.0.1");
      if (held) socket.follows.set(to.stream, held);
      const note = (deed: string) => (topic: string) => {
        if (topic === topicOf(to.stream, to.audience)) deeds.push(`${name} ${deed}`);
      };
      socket.wire = wireWith({ subscribe: note("joins"), unsubscribe: note("leaves") });
      return socket;
    };
    const mine = [open("one", leastHeld), open("blind", new Set(["others"])), open("elsewhere", undefined)];
    const following = new Following(running, {
      published: () => void deeds.push("told"),
      socketsOf: (userId) => (userId === "ada" ? mine : []),
      gained() {},
      uncertain() {},
    });
    following.publishThrough({ publish: (_, frame) => void deeds.push(frame), count: () => 7 });
    const before = [handedOver.characters, running.metrics.deliveries];
    following.tell({ kind: "live", to, frame: "ten signs.", exceptUserId: "ada" });
    expect(deeds).toEqual(["one leaves", "ten signs.", "told", "one joins"]);
    expect(
      [handedOver.characters, running.metrics.deliveries].map((now, i) => now - (before[i] ?? 0)),
    ).toEqual([70, 7]);
  });
});
