// A gateway by itself: failures to publish, missed items, whether it is at rest, and its limits per address and person.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { closeCode } from "../../protocol/closing.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { wireWith } from "../../tests/house/machine/wire.ts";
import { makeHouse, onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { personStream, serverStream } from "../place.ts";
import { socketsMax } from "./bounds.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

onEachEngine(
  "a gateway that cannot publish",
  (house) => {
    test("ends its sockets with 1012, so that they resume; the change is answered as ever", async () => {
      const alice = await house().person("alice");
      const home = await alice.makeServer();
      const { house: running } = house().running;
      const gateway = new Gateway(running, running.bus);
      gateway.publishThrough({
        publish(_, frame) {
          if (frame.includes("MESSAGE_CREATE")) throw new Error("the runtime cannot");
        },
        count: () => 0,
      });
      const sent: string[] = [];
      const codes: number[] = [];
      const wire = wireWith({
        send: (frame) => sent.push(frame),
        close: (code) => void codes.push(code),
      });
      const socket = new Socket(undefined, "127.0.0.1");
      gateway.opened(socket, wire);
      await gateway.received(socket, JSON.stringify({ type: "AUTH", data: { token: alice.token } }));
      expect(JSON.parse(sent[0] ?? "").type).toBe("READY");
      await alice.say(home.general.id, "unheard");
      await until(() => codes.length > 0, "it stays open");
      expect(codes).toEqual([closeCode.restart.code]);
      gateway.closed(socket);
      gateway.close("restart");
    });
  },
  { LOG_LEVEL: "silent" },
);

test("a gateway is at rest only when what it heard has gone out, and its sockets follow what they may", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  const ear = await bob.listen();
  const { gateway, house: running } = house.running;
  const { database } = running;
  const mayLoad = Promise.withResolvers<void>();
  const snapshot = database.snapshot.bind(database);
  const loading = spyOn(database, "snapshot").mockImplementation(async (work) => {
    await mayLoad.promise;
    return snapshot(work);
  });
  await alice.bringIn(home.id, bob);
  await until(() => loading.mock.calls.length > 0, "nothing is loaded");
  expect([gateway.isAtRest, ear.heard("SERVER_CREATE")]).toEqual([false, []]);
  loading.mockRestore();
  mayLoad.resolve();
  await ear.settle();
  expect([gateway.isAtRest, ear.heard("SERVER_CREATE").length]).toEqual([true, 1]);
  await house.end();
});

test("a process that has missed what others committed believes nothing, and lets every socket begin again", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const running = house.running.house;
  const ear = await (await house.person("alice")).listen();
  const stranger = await Ear.connect(house.url);
  const thoughts = running.cache<string>("thoughts", 10);
  thoughts.put("one", "kept");
  running.bus.take([{ kind: "lost" }]);
  expect(thoughts.peek("one")).toBeUndefined();
  for (const each of [ear, stranger]) expect((await each.closed).code).toBe(closeCode.restart.code);
  await house.end();
});

test("what nobody listens to any more is not followed: after READY, after a resume, and where somebody came in", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const { activity } = house.running.house;
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  const followed = () =>
    [serverStream(home.id), personStream(alice.id), personStream(bob.id)].map((key) => activity.follows(key));
  const hers = await alice.listen();
  const his = await bob.listen();
  await alice.bringIn(home.id, bob);
  await his.next("SERVER_CREATE");
  const again = await alice.listen(hers.resumePoint);
  expect(followed()).toEqual([true, true, true]);
  for (const ear of [hers, again]) ear.close();
  await until(() => !activity.follows(personStream(alice.id)), "she is still followed");
  expect(followed()).toEqual([true, false, true]);
  his.close();
  await until(() => !followed().includes(true), "the server is still followed");
  await house.end();
});

test("of readers who take nothing the fullest are cut off where all together are too much, and one for too long is ended", async () => {
  const house = await makeHouse("SQLite", { BACKLOG_MIB: "1" }, undefined, true);
  await house.open();
  const { house: running } = house.running;
  const gateway = new Gateway(running, running.bus, 10);
  const open = (bytes: number) => {
    const ends: string[] = [];
    const socket = new Socket(undefined, "127.0.0.1");
    const wire = wireWith({
      getBufferedAmount: () => (ends.length > 0 ? 0 : bytes),
      close: (code) => void ends.push(`closed with ${code}`),
      terminate: () => void ends.push("cut off"),
    });
    gateway.opened(socket, wire);
    return { socket, ends };
  };
  const [full, other, late] = [open(900_000), open(100_000), open(10)];
  // The frames sent since the last check may have filled the bound.
  full.socket.send("x".repeat(300_000));
  await until(() => full.ends.length > 0, "nobody is cut off");
  expect([full.ends, other.ends, late.ends]).toEqual([["cut off"], [], []]);
  late.socket.behindSince = performance.now() - 5001;
  await until(() => late.ends.length > 0, "it is not ended");
  expect(late.ends).toEqual([`closed with ${closeCode.tooSlow.code}`]);
  gateway.close("restart");
  await house.end();
});

describe("with limits", () => {
  let house: TestHouse;
  let gateway: Gateway;
  beforeAll(async () => {
    house = await makeHouse("SQLite", { RATE_LIMITS: "on" }, undefined, true);
    await house.open();
    gateway = new Gateway(house.running.house, house.running.house.bus);
  });
  afterAll(async () => {
    gateway?.close("restart");
    await house?.end();
  });

  interface Line {
    /** The types of the frames sent to the socket, and the reason of its end. */
    told: string[];
    signIn(person: TestPerson): Promise<void>;
    ping(): Promise<void>;
  }

  function open(address: string): Line {
    const socket = new Socket(undefined, address);
    const told: string[] = [];
    const wire = wireWith({
      send: (frame) => told.push(JSON.parse(frame).type),
      close(_, reason) {
        told.push(reason);
        gateway.closed(socket);
      },
    });
    gateway.opened(socket, wire);
    const say = (type: string, data: unknown) => gateway.received(socket, JSON.stringify({ type, data }));
    return {
      told,
      signIn: ({ token }: TestPerson) => say("AUTH", { token }),
      ping: () => say("PING", {}),
    };
  }

  const endedBy = (some: readonly Line[], why: keyof typeof closeCode) =>
    some.filter(({ told }) => told.includes(closeCode[why].reason));

  test("an address opens two hundred sockets at once, all of its IPv6 network together; others open theirs", async () => {
    const some = Array.from({ length: 300 }, (_, i) => open(`2001:db8:1:1::${i.toString(16)}`));
    const other = open("2001:db8:1:2::1");
    await until(() => some.at(-1)!.told.length > 0, "the last is let in");
    expect(some.slice(0, 200).flatMap(({ told }) => told)).toEqual([]);
    expect(endedBy(some, "tooManyHere").length).toBeGreaterThan(0);
    expect(other.told).toEqual([]);
  });

  test("of more sockets than a person may have the oldest alone ends", async () => {
    const alice = await house.person("alice");
    const mine: Line[] = [];
    for (let i = 0; i <= socketsMax; i++) {
      const line = open("127.0.0.1");
      await line.signIn(alice);
      mine.push(line);
    }
    const [oldest, ...others] = mine;
    expect(oldest?.told).toEqual(["READY", closeCode.replaced.reason]);
    for (const { told } of others) expect(told).toEqual(["READY"]);
  });

  test("a person signs in so often and no more, from wherever; another one does", async () => {
    const [bob, carol] = [await house.person("bob"), await house.person("carol")];
    const mine = Array.from({ length: 150 }, (_, i) => open(`203.0.113.${i}`));
    await Promise.all(mine.map((line) => line.signIn(bob)));
    const refused = endedBy(mine, "tooOften");
    expect(refused.length).toBeGreaterThan(0);
    for (const { told } of refused) expect(told).toHaveLength(1);
    expect(mine.filter(({ told }) => told[0] === "READY").length).toBeGreaterThanOrEqual(socketsMax);
    const hers = open("203.0.113.1");
    await hers.signIn(carol);
    expect(hers.told).toEqual(["READY"]);
  });

  test("frames count over all sockets of a person: one too many is refused and not acted on, and the socket stays", async () => {
    const dave = await house.person("dave");
    const mine = Array.from({ length: 6 }, () => open("127.0.0.1"));
    for (const line of mine) await line.signIn(dave);
    for (const line of mine) for (let i = 0; i < 110; i++) await line.ping();
    const told = mine.flatMap((line) => line.told);
    expect(told.filter((type) => type === "PONG").length).toBeGreaterThanOrEqual(300);
    expect(new Set(told)).toEqual(new Set(["READY", "PONG", "ERROR"]));
    expect(told).toHaveLength(6 + 6 * 110);
  });
});
