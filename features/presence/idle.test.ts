// A person whose every socket says that nobody touches its device is shown as idle; what they chose stays.
import { expect, test } from "bun:test";
import { undecidedMs } from "../../server/gateway/devices.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";

const idle = { status: "idle", auto: true } as const;
const touched = { status: "online", auto: true } as const;

/** The statuses of the person that the socket heard, in order. */
function statuses(ear: Ear, person: TestPerson): string[] {
  return ear
    .heard("PRESENCE_UPDATE")
    .filter(({ data }) => String(data.user_id) === person.id)
    .map(({ data }) => String(data.status));
}

/** Waits until as many statuses of the person were heard: exactly these, in this order. */
async function hears(ear: Ear, person: TestPerson, ...expected: string[]): Promise<void> {
  await ear.untilAll(() => statuses(ear, person).length >= expected.length);
  expect(statuses(ear, person)).toEqual(expected);
}

/** Waits until the process that answers knows what the person chose, and how they are seen. */
function seen(person: TestPerson, ...expected: [chosen: string, presence: string]): Promise<void> {
  const isSo = async () => (await chosenBy(person)).join() === expected.join();
  return until(isSo, `${person.username} is not seen as ${expected[1]}`);
}

async function chosenBy(person: TestPerson): Promise<string[]> {
  const { body } = await person.get("/auth/me");
  return [String(body.presence_chosen), String(body.presence)];
}

onEachEngine("idle by itself", (house) => {
  async function friends() {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    const ear = await alice.listen();
    const his = await bob.listen();
    await hears(ear, bob, "online");
    return { alice, bob, home, ear, his };
  }

  /** Waits until every process takes the person for idle, or for somebody who is there. */
  function known(person: TestPerson, isIdle: boolean): Promise<void> {
    const isKnown = () => house().all.every((each) => each.house.connections.isIdle(person.id) === isIdle);
    return until(isKnown, `${person.username} is not known to be ${isIdle ? "idle" : "there"}`);
  }

  test("one is idle while each socket says so, on whatever process; one that never does counts as touched", async () => {
    const { bob, ear, his } = await friends();
    const [second, old] = [await bob.listen(), await bob.listen()];
    for (const each of [his, second]) {
      each.say("PRESENCE_UPDATE", idle);
      await each.settle();
    }
    expect(await chosenBy(bob)).toEqual(["online", "online"]);
    old.close();
    await hears(ear, bob, "online", "idle");
    await seen(bob, "online", "idle");
    second.say("PRESENCE_UPDATE", touched);
    await hears(ear, bob, "online", "idle", "online");
    second.say("PRESENCE_UPDATE", idle);
    await hears(ear, bob, "online", "idle", "online", "idle");
    second.close();
    his.say("PRESENCE_UPDATE", touched);
    await hears(ear, bob, "online", "idle", "online", "idle", "online");
    expect(his.heard("ERROR")).toEqual([]);
  });

  test("what was chosen holds whatever the sockets say, and is heard by one's own sockets", async () => {
    const { bob, ear, his } = await friends();
    his.say("PRESENCE_UPDATE", idle);
    await hears(ear, bob, "online", "idle");
    for (const [status, shown] of [
      ["dnd", "dnd"],
      ["invisible", "offline"],
      ["online", "idle"],
    ] as const) {
      await bob.put("/auth/me/presence", { status });
      const own = await his.next("ME_UPDATE");
      expect([String(own.data.presence_chosen), String(own.data.presence)]).toEqual([status, shown]);
      await seen(bob, status, shown);
    }
    await hears(ear, bob, "online", "idle", "dnd", "offline", "idle");
    const { ready } = await bob.listen();
    expect((ready as unknown as { user: object }).user).toHaveProperty("presence_chosen", "online");
    await bob.put("/auth/me/presence", { status: "idle" });
    his.say("PRESENCE_UPDATE", touched);
    await known(bob, false);
    await his.settle();
    expect(await chosenBy(bob)).toEqual(["idle", "idle"]);
    await hears(ear, bob, "online", "idle", "dnd", "offline", "idle");
  });

  test("any other status by itself is an error, and the call knows nothing of it: it chooses", async () => {
    const { bob, ear, his } = await friends();
    for (const status of ["dnd", "invisible", "away"]) {
      his.say("PRESENCE_UPDATE", { status, auto: true });
      expect(String((await his.next("ERROR")).data.code)).toBe("invalid_request");
    }
    await seen(bob, "online", "online");
    expect((await bob.put("/auth/me/presence", idle)).status).toBe(204);
    await hears(ear, bob, "online", "idle");
    await seen(bob, "idle", "idle");
    his.say("PRESENCE_UPDATE", { status: "online", auto: false });
    await hears(ear, bob, "online", "idle", "online");
  });

  test("who is idle stays so when a page reconnects asleep, and not when it says anything else, or nothing", async () => {
    const { bob, ear, his } = await friends();
    his.say("PRESENCE_UPDATE", idle);
    await hears(ear, bob, "online", "idle");
    await known(bob, true);
    his.close();
    await his.closed;
    const again = await bob.listen();
    again.say("PING");
    again.say("PRESENCE_UPDATE", idle);
    await again.settle();
    await until(async () => {
      const active = await Promise.all(house().all.map((each) => each.house.activity.activeAmong([bob.id])));
      return active.every((each) => each.size === 0);
    }, "another process takes them for active by their AUTH");
    const typing = await bob.listen();
    expect(statuses(ear, bob)).toEqual(["online", "idle"]);
    typing.say("NO_SUCH_FRAME");
    await hears(ear, bob, "online", "idle", "online");
    await known(bob, false);
    typing.say("PRESENCE_UPDATE", idle);
    await hears(ear, bob, "online", "idle", "online", "idle");
    await known(bob, true);
    const begun = performance.now();
    await bob.listen();
    await hears(ear, bob, "online", "idle", "online", "idle", "online");
    expect(performance.now() - begun).toBeGreaterThanOrEqual(undecidedMs);
  });

  test("who is in no server hears in their own stream how others would see them", async () => {
    const alone = await house().person("alone");
    const ear = await alone.listen();
    await seen(alone, "online", "online");
    ear.say("PRESENCE_UPDATE", idle);
    await ear.untilAll(() => statuses(ear, alone).includes("idle"));
    const last = ear.heard("PRESENCE_UPDATE").at(-1);
    expect([last?.stream, last?.server_id, last?.seq]).toEqual(["@me", undefined, undefined]);
    await alone.put("/auth/me/presence", { status: "invisible" });
    await ear.untilAll(() => statuses(ear, alone).at(-1) === "offline");
  });

  test("an idle socket is inactive at once, for every process, until something else comes on it", async () => {
    const { bob, home, his } = await friends();
    const active = async () => {
      const known = await Promise.all(house().all.map((each) => each.house.activity.activeAmong([bob.id])));
      return known.map((some) => some.has(bob.id));
    };
    const isActive = (is: boolean) => async () => (await active()).every((each) => each === is);
    await until(isActive(true), "nobody is active");
    his.say("PRESENCE_UPDATE", idle);
    await until(isActive(false), "an idle person is active");
    his.say("TYPING_START", { channel_id: home.general.id });
    await his.settle();
    expect(await active()).toContain(true);
  });
});

onOneProcess("idle by itself, in one process", (house) => {
  test("writes nothing of it, however often it is said; idle keeps nobody active", async () => {
    const bob = await house().person("bob");
    const ear = await bob.listen();
    const { activity } = house().running.house;
    await house().quiet();
    const { statements } = await statementsOf(house(), async () => {
      for (const said of [touched, idle, idle, touched]) {
        ear.say("PRESENCE_UPDATE", said);
        await ear.settle();
        expect((await activity.activeAmong([bob.id])).has(bob.id)).toBe(said === touched);
      }
    });
    // On PostgreSQL, other processes learn who is connected and idle.
    const written = statements.filter(
      (text) => !/^\s*(select|insert into ("notices"|connections))/i.test(text),
    );
    expect(written).toEqual([]);
  });
});
