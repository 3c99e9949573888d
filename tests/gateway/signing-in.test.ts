// The first frame of a socket: sign-in by token or cookie, and refusals with close code 4001.
import { describe, expect, spyOn, test } from "bun:test";
import { authLimitMs } from "../../protocol/frames.ts";
import { soon } from "../house/machine/waiting.ts";
import { makeHouse, onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";
import { statementsOf } from "../house/scenes/statements.ts";
import { RawSocket } from "./raw-socket.ts";

onEachEngine("signing in on the gateway", (house) => {
  test("a token in AUTH makes a listener, under both addresses", async () => {
    const alice = await house().person("alice");
    expect((await alice.listen()).ready.user).toMatchObject({ id: alice.id });
    const raw = await RawSocket.open(house().url, {}, "/api/v1/ws");
    raw.say("AUTH", { token: alice.token });
    await raw.until((texts) => texts.length > 0);
    expect(JSON.parse(raw.texts[0] ?? "")).toMatchObject({ type: "READY", data: { user: { id: alice.id } } });
    raw.end();
  });

  test("a browser says no token: the cookie of its upgrade counts", async () => {
    const alice = await house().person("alice");
    const ear = await Ear.open(house().url, undefined, undefined, { Cookie: `app_session=${alice.token}` });
    expect(ear.ready.user).toMatchObject({ id: alice.id });
  });

  test("a token in AUTH goes before the cookie of somebody else", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const ear = await Ear.open(house().url, bob.token, undefined, { Cookie: `app_session=${alice.token}` });
    expect(ear.ready.user).toMatchObject({ id: bob.id });
  });

  test("those who come back at the same moment are looked up a few in each turn of the event loop", async () => {
    const raws = await Promise.all(Array.from({ length: 200 }, () => RawSocket.open(house().url)));
    const { statements, statementsInOneTurn } = await statementsOf(house(), async () => {
      for (const raw of raws) raw.say("AUTH", { token: `hs_${crypto.randomUUID()}` });
      for (const raw of raws) expect(await raw.closed()).toBe(4001);
    });
    expect(statements.length).toBeGreaterThanOrEqual(200);
    // Three processes may share this event loop.
    expect(statementsInOneTurn).toBeLessThan(20);
  });

  describe("is closed with 4001:", () => {
    const refusals: Record<string, (ear: Ear, token: string) => void> = {
      "AUTH without token and cookie": (ear) => ear.say("AUTH"),
      "AUTH without data": (ear) => ear.socket.send('{"type":"AUTH"}'),
      "a token that is none": (ear) => ear.say("AUTH", { token: "hs_nobody" }),
      "a bot's token that is none": (ear) => ear.say("AUTH", { token: "hb_nobody" }),
      "a token of the wrong type": (ear) => ear.say("AUTH", { token: 7 }),
      "a token that cannot be measured": (ear) => ear.say("AUTH", { token: { length: { toString: 1 } } }),
      "data of the wrong type": (ear) => ear.say("AUTH", ["token"]),
      "a good token with a letter more": (ear, token) => ear.say("AUTH", { token: `${token}x` }),
      "PING before AUTH": (ear) => ear.say("PING"),
      "TYPING_START before AUTH": (ear) => ear.say("TYPING_START", { channel_id: "x" }),
      "JSON that is no frame": (ear) => ear.socket.send("[1]"),
    };
    for (const [what, offend] of Object.entries(refusals)) {
      test(what, async () => {
        const alice = await house().person("alice");
        const ear = await Ear.connect(house().url);
        offend(ear, alice.token);
        expect((await ear.closed).code).toBe(4001);
        expect(ear.frames).toEqual([]);
      });
    }

    test("a bad cookie, two cookies, and the token of a session that ended", async () => {
      const alice = await house().person("alice");
      for (const cookie of [
        "app_session=hs_nobody",
        `app_session=${alice.token}; app_session=${alice.token}`,
      ]) {
        const ear = await Ear.connect(house().url, { Cookie: cookie });
        ear.say("AUTH");
        expect((await ear.closed).code).toBe(4001);
      }
      await alice.post("/auth/logout");
      const ear = await Ear.connect(house().url);
      ear.say("AUTH", { token: alice.token });
      expect((await ear.closed).code).toBe(4001);
    });

    test("a token in the address, which is ignored", async () => {
      const alice = await house().person("alice");
      const raw = await RawSocket.open(
        house().url,
        {},
        `/ws?token=${alice.token}&access_token=${alice.token}`,
      );
      expect(raw.answer.status).toBe(101);
      raw.say("AUTH");
      expect(await raw.closed()).toBe(4001);
      expect(raw.texts).toEqual([]);
    });
  });
});

test("ten seconds without a word close with 4001", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const alice = await house.person("alice");
  const opened = spyOn(house.running.gateway, "opened");
  const [silent, later] = [await Ear.connect(house.url), await Ear.connect(house.url)];
  const [first, second] = opened.mock.calls.map(([socket]) => socket);
  const begun = performance.now();
  first!.openedAt = begun - authLimitMs;
  second!.openedAt = begun - authLimitMs / 2;
  expect((await soon(silent.closed)).code).toBe(4001);
  later.say("AUTH", { token: alice.token });
  const isIn = await later.next("READY").then(
    () => true,
    () => false,
  );
  // If the machine stood still meanwhile, the time limit may have closed it as well.
  if (performance.now() - begun < authLimitMs / 4) expect(isIn).toBe(true);
  await house.end();
});
