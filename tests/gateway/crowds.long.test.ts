// Many sockets at once: limits on an address's connections and a person's sign-ins, which leave others alone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeHouse, onEachEngine, type TestHouse } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { RawSocket } from "./raw-socket.ts";

const settings = { RATE_LIMITS: "on", TRUSTED_PROXIES: "127.0.0.1" };

describe("with limits", () => {
  let house: TestHouse;
  beforeAll(async () => {
    house = await makeHouse("SQLite", settings);
    await house.open();
  });
  afterAll(() => house?.end());

  const connect = (address: string) => RawSocket.open(house.url, { "X-Forwarded-For": address });

  /** The only answer to each socket: the type of a frame, or a close code. */
  async function answerTo(raw: RawSocket): Promise<string> {
    await raw.until((texts) => texts.length > 0).catch(() => {});
    return raw.texts[0] ? JSON.parse(raw.texts[0]).type : String(await raw.closed());
  }

  /** Close codes of strangers, who connect in ever larger crowds until the limit closes some of them. */
  async function untilTooMany(address: (i: number) => string): Promise<number[]> {
    const codes: number[] = [];
    // The bucket refills while it is emptied: a slower machine needs more sockets.
    for (let count = 300; count < 10_000 && !codes.includes(4008); count *= 2) {
      const some = await Promise.all(Array.from({ length: count }, (_, i) => connect(address(i))));
      for (const raw of some) raw.say("AUTH", { token: "hs_nobody" });
      codes.push(...(await Promise.all(some.map((raw) => raw.closed()))));
    }
    return codes;
  }

  test("an address that connects again and again is sent away with 4008; its neighbours are not", async () => {
    const codes = await untilTooMany(() => "203.0.113.7");
    expect(codes.filter((code) => code === 4001).length).toBeGreaterThanOrEqual(200);
    expect([...new Set(codes)].sort()).toEqual([4001, 4008]);
    const alice = await house.person("alice");
    const neighbour = await connect("203.0.113.8");
    neighbour.say("AUTH", { token: alice.token });
    expect(await answerTo(neighbour)).toBe("READY");
    neighbour.end();
  });

  test("the addresses of one IPv6 network count as one", async () => {
    expect(await untilTooMany((i) => `2001:db8:1:1::${i.toString(16)}`)).toContain(4008);
  });

  test("the 51st socket of a person ends the oldest with 4011, so that it does not come back; the others go on", async () => {
    const alice = await house.person("alice");
    const ears = [];
    for (let i = 0; i < 51; i++) ears.push(await alice.listen());
    expect((await ears[0]?.closed)?.code).toBe(4011);
    for (const ear of ears.slice(1)) await ear.settle();
    ears[1]?.close();
    await ears[1]?.closed;
    // A closed socket makes room for another.
    const another = await alice.listen();
    for (const ear of [...ears.slice(2), another]) await ear.settle();
  });

  test("frames count over all sockets of a person: the frame is dropped with an ERROR, the socket stays", async () => {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const neighbour = await bob.listen();
    const ears = await Promise.all(Array.from({ length: 10 }, () => alice.listen()));
    for (const ear of ears) for (let i = 0; i < 100; i++) ear.say("PING");
    const answers = (ear: Ear) => ear.frames.filter(({ type }) => type === "PONG" || type === "ERROR");
    for (const ear of ears) await ear.untilAll(() => answers(ear).length === 100);
    const errors = ears.flatMap((ear) => ear.heard("ERROR"));
    expect(errors.length).toBeGreaterThan(0);
    expect(ears.flatMap((ear) => ear.heard("PONG")).length).toBeGreaterThanOrEqual(300);
    expect([...new Set(errors.map(({ data }) => String(data.code)))]).toEqual(["rate_limited"]);
    for (const ear of ears) expect(ear.socket.readyState).toBe(WebSocket.OPEN);
    await neighbour.settle();
  });

  test("a person who signs in again and again is sent away with 4008; others from there are not", async () => {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const answers: string[] = [];
    for (let i = 0; i < 500 && !answers.includes("4008"); i++) {
      const raw = await connect(`198.51.100.${i % 200}`);
      raw.say("AUTH", { token: alice.token });
      answers.push(await answerTo(raw));
      raw.end();
    }
    expect(answers.indexOf("4008")).toBeGreaterThanOrEqual(50);
    const raw = await connect("198.51.100.1");
    raw.say("AUTH", { token: bob.token });
    expect(await answerTo(raw)).toBe("READY");
    raw.end();
  });
});

onEachEngine("sockets of one person that come back together while others talk", (house) => {
  test("miss nothing that comes after their READY, and hear nothing of before again", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ears = await Promise.all(Array.from({ length: 20 }, () => Ear.connect(alice.host.url)));
    let isOver = false;
    const talk = (async () => {
      while (!isOver) await bob.say(home.general.id, "hello");
    })();
    for (const ear of ears) ear.say("AUTH", { token: alice.token });
    for (const ear of ears) await ear.next("READY");
    isOver = true;
    await talk;
    const last = await bob.say(home.general.id, "goodbye");
    for (const ear of ears) {
      await ear.until(({ type, data }) => type === "MESSAGE_CREATE" && String(data.id) === last.id);
      const servers = ear.ready.servers as unknown as { id: string; seq: number }[];
      const from = servers.find(({ id }) => id === home.id)?.seq ?? 0;
      const numbers = ear.heard("MESSAGE_CREATE").map(({ seq }) => seq ?? 0);
      expect(numbers).toEqual(numbers.map((_, i) => from + 1 + i));
      ear.close();
    }
  });
});

test("without limits an address may open as many as it likes, and a person too", async () => {
  const house = await makeHouse("SQLite", {});
  await house.open();
  try {
    const alice = await house.person("alice");
    const ears = await Promise.all(Array.from({ length: 230 }, () => alice.listen()));
    for (const ear of ears) await ear.settle();
  } finally {
    await house.end();
  }
});
