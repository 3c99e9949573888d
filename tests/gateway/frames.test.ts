// Frames from a client: heartbeats, errors that leave the socket open, and errors that close it.
import { describe, expect, test } from "bun:test";
import { makeHouse, onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { RawSocket } from "./raw-socket.ts";

onEachEngine("frames", (house) => {
  test("PING is answered by PONG, each one", async () => {
    const ear = await (await house().person("alice")).listen();
    for (let i = 0; i < 3; i++) await ear.settle();
    expect(ear.heard("PONG")).toHaveLength(3);
    expect(ear.heard("PONG")[0]?.seq).toBeUndefined();
  });

  describe("is answered by ERROR, and the socket stays:", () => {
    const mistakes: Record<string, string> = {
      "an unknown type": '{"type":"DANCE","data":{}}',
      "a server's own type": '{"type":"MESSAGE_CREATE","data":{"content":"x"}}',
      "no type": '{"data":{}}',
      "a type that is a number": '{"type":1}',
      "a list": "[]",
      "a bare number": "7",
      null: "null",
      "a known type without data": '{"type":"TYPING_START"}',
      "data of the wrong shape": '{"type":"TYPING_START","data":{"channel_id":5}}',
      "a status that there is not": '{"type":"PRESENCE_UPDATE","data":{"status":"away"}}',
      "data that cannot be measured":
        '{"type":"TYPING_START","data":{"channel_id":{"length":{"toString":1}}}}',
      "a channel that there is not":
        '{"type":"TYPING_START","data":{"channel_id":"01890000-0000-7000-8000-000000000000"}}',
      "data nested very deep": `{"type":"TYPING_START","data":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    };
    for (const [what, text] of Object.entries(mistakes)) {
      test(what, async () => {
        const ear = await (await house().person("alice")).listen();
        ear.socket.send(text);
        const error = await ear.next("ERROR");
        expect(Object.keys(error.data).sort()).toEqual(["code", "error"]);
        expect(["invalid_request", "not_found"]).toContain(String(error.data.code));
        expect(String(error.data.error).length).toBeGreaterThan(5);
        await ear.settle();
      });
    }

    test("a second AUTH, which changes nothing about who listens", async () => {
      const [alice, bob] = [await house().person("alice"), await house().person("bob")];
      const home = await alice.makeServer();
      const ear = await alice.listen();
      ear.say("AUTH", { token: bob.token });
      expect(String((await ear.next("ERROR")).data.code)).toBe("invalid_request");
      await alice.say(home.general.id, "still here");
      await ear.next("MESSAGE_CREATE");
      expect(ear.heard("READY")).toHaveLength(1);
    });
  });

  test("what is not JSON closes with 4002, before AUTH and after; binary too", async () => {
    const alice = await house().person("alice");
    for (const ear of [await Ear.connect(house().url), await alice.listen()]) {
      ear.socket.send("{nonsense");
      expect((await ear.closed).code).toBe(4002);
    }
    const ear = await alice.listen();
    ear.socket.send(new Uint8Array([123, 125]));
    expect((await ear.closed).code).toBe(4002);
  });

  test("a frame over 64 KiB closes with 1009, one of exactly 64 KiB does not", async () => {
    const alice = await house().person("alice");
    const ear = await alice.listen();
    const frame = (bytes: number) => `{"type":"${"x".repeat(bytes - 11)}"}`;
    ear.socket.send(frame(64 * 1024));
    await ear.next("ERROR");
    ear.socket.send(frame(64 * 1024 + 1));
    expect((await ear.closed).code).toBe(1009);
  });

  test("a frame in single bytes is understood; one that grows past 64 KiB piece by piece is not", async () => {
    const alice = await house().person("alice");
    const raw = await RawSocket.open(house().url);
    const auth = Buffer.from(JSON.stringify({ type: "AUTH", data: { token: alice.token } }));
    for (let i = 0; i < auth.length; i++)
      raw.send(i === 0 ? 1 : 0, auth.subarray(i, i + 1), i === auth.length - 1);
    await raw.until((texts) => texts.length > 0);
    expect(raw.texts[0]).toStartWith('{"type":"READY"');
    raw.send(1, Buffer.alloc(40_000, 0x20), false);
    raw.send(0, Buffer.alloc(40_000, 0x20), true);
    expect([1006, 1009]).toContain(await raw.closed());
  });

  test("text that is not UTF-8 closes the socket and hurts nobody else", async () => {
    const alice = await house().person("alice");
    const ear = await alice.listen();
    const raw = await RawSocket.open(house().url);
    raw.send(1, Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect([1006, 1007, 4002]).toContain(await raw.closed());
    await ear.settle();
  });
});

test("more than 120 frames in a minute close with 4008, and only that socket", async () => {
  const house = await makeHouse("SQLite", { RATE_LIMITS: "on" });
  await house.open();
  try {
    const [alice, bob] = [await house.person("alice"), await house.person("bob")];
    const neighbour = await bob.listen();
    const ear = await alice.listen();
    for (let i = 0; i < 119; i++) ear.say("PING");
    for (let i = 0; i < 119; i++) await ear.next("PONG");
    ear.say("PING");
    expect((await ear.closed).code).toBe(4008);
    await neighbour.settle();
  } finally {
    await house.end();
  }
});

test("pings and pongs of the protocol are frames like others: too many of them end the socket, and only that one", async () => {
  const house = await makeHouse("SQLite", { RATE_LIMITS: "on" });
  await house.open();
  try {
    const neighbour = await (await house.person("alice")).listen();
    for (const opcode of [9, 10]) {
      const raw = await RawSocket.open(house.url);
      for (let i = 0; i < 100; i++) raw.send(opcode, Buffer.alloc(0));
      await neighbour.settle();
      expect(raw.closeCode).toBeUndefined();
      for (let i = 0; i < 100; i++) raw.send(opcode, Buffer.alloc(0));
      expect(await raw.closed()).toBe(1006);
    }
    await neighbour.settle();
  } finally {
    await house.end();
  }
});
