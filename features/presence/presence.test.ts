// Presence: people appear as they wish to those who share a server with them, and to nobody else.
import { describe, expect, spyOn, test } from "bun:test";
import { goneAfterMs } from "../../server/house/connections.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse, onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { comeIn } from "../../tests/house/scenes/crowd.ts";
import { goneAfter } from "../../tests/house/scenes/gone.ts";
import { shownPresence } from "../accounts/access.ts";
import { looked, looksOf } from "./access.ts";
import { presence } from "./handlers.ts";

/** Time between the end of the last socket and offline, in milliseconds. */
const whileMs = 2000;
const hourMs = 3600_000;

async function friends(house: TestHouse) {
  const [alice, bob, mallory] = [
    await house.person("alice"),
    await house.person("bob"),
    await house.person("mallory"),
  ];
  const home = await alice.makeServer();
  await mallory.makeServer("Mallory's");
  await alice.bringIn(home.id, bob);
  return { alice, bob, mallory, home, ear: await alice.listen(), stranger: await mallory.listen() };
}

/** Waits for the next presence update of this person. */
function told(ear: Ear, person: TestPerson) {
  return ear.until(({ type, data }) => type === "PRESENCE_UPDATE" && String(data.user_id) === person.id);
}

/** Waits until any process shows the status. */
function sees(by: TestPerson, person: TestPerson, status: string): Promise<void> {
  const isSo = async () => String((await by.get(`/users/${person.id}`)).body.presence) === status;
  return until(isSo, `${person.username} is not seen to be ${status}`);
}

onEachEngine("presence", (house) => {
  test("coming online is told to who shares a server, once, and to no stranger", async () => {
    const { bob, home, ear, stranger } = await friends(house());
    await bob.patch("/auth/me", { status_text: "at work" });
    await bob.listen();
    const heard = await told(ear, bob);
    expect(heard.data as unknown).toEqual({ user_id: bob.id, status: "online", status_text: "at work" });
    expect(heard.server_id).toBe(home.id);
    expect(heard).not.toHaveProperty("seq");
    await bob.listen();
    await bob.put("/auth/me/presence", { status: "idle" });
    expect(String((await told(ear, bob)).data.status)).toBe("idle");
    await stranger.settle();
    expect(stranger.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === bob.id)).toEqual(
      [],
    );
  });

  test("READY says how its person is seen from now on, also in no server, where no change is told", async () => {
    for (const [chosen, seen] of [
      ["online", "online"],
      ["dnd", "dnd"],
      ["invisible", "offline"],
    ] as const) {
      const alone = await house().person("alone");
      await alone.put("/auth/me/presence", { status: chosen });
      const { ready } = await alone.listen();
      expect((ready as unknown as { user: { presence: string } }).user.presence).toBe(seen);
    }
  });

  test("READY has those who are seen, each with their status and its text, and not who is invisible", async () => {
    const { alice, bob, home } = await friends(house());
    const carol = await house().person("carol");
    await alice.bringIn(home.id, carol);
    await bob.patch("/auth/me", { status_text: "at work" });
    await bob.put("/auth/me/presence", { status: "dnd" });
    await carol.put("/auth/me/presence", { status: "invisible" });
    for (const person of [bob, carol]) await (await person.listen()).settle();
    await sees(alice, bob, "dnd");
    // Each process learns of him on its own.
    await until(async () => {
      const ear = await alice.listen();
      ear.close();
      const [server] = ear.ready.servers as unknown as { presences: { user_id: string }[] }[];
      const shown = server?.presences.filter(({ user_id }) => user_id !== alice.id) ?? [];
      if (shown.length === 0) return false;
      expect(shown as unknown).toEqual([{ user_id: bob.id, status: "dnd", status_text: "at work" }]);
      return true;
    }, "Bob is not shown");
  });

  test("who has come into a server by another process is told to those who were shown it without them, once", async () => {
    const { running, all } = house();
    // A single process sees every event before anybody is shown anything.
    if (!running.house.isShared) return;
    const { alice, bob } = await friends(house());
    const second = await alice.makeServer("Second");
    await bob.listen();
    await until(
      () => all.every(({ house: each }) => shownPresence(each, bob.id) === "online"),
      "Bob is not seen by all",
    );
    const ear = await alice.listen();
    // The event that he joined is still on its way.
    await comeIn(house(), second.id, [bob.id]);
    for (let twice = 0; twice < 2; twice++) {
      for (const { house: each } of all) {
        presence.told?.(each, { server_id: second.id, user_id: bob.id });
        await looked(each);
      }
    }
    await told(ear, bob);
    await ear.settle();
    const heard = ear.heard("PRESENCE_UPDATE").filter(({ server_id }) => server_id === second.id);
    expect(heard.map(({ data }) => data as unknown)).toEqual([
      { user_id: bob.id, status: "online", status_text: "" },
    ]);
  });

  describe("a status is chosen", () => {
    for (const way of ["PUT", "frame"] as const) {
      test(`by ${way}: idle, dnd, invisible (shown as offline), online; the same again is not told`, async () => {
        const { alice, bob, ear } = await friends(house());
        const his = await bob.listen();
        await told(ear, bob);
        for (const [status, shown] of [
          ["idle", "idle"],
          ["dnd", "dnd"],
          ["invisible", "offline"],
          ["online", "online"],
        ] as const) {
          for (let twice = 0; twice < 2; twice++) {
            if (way === "frame") his.say("PRESENCE_UPDATE", { status });
            else expect((await bob.put("/auth/me/presence", { status })).status).toBe(204);
          }
          expect(String((await told(ear, bob)).data.status)).toBe(shown);
          await his.settle();
          await sees(alice, bob, shown);
        }
        expect(JSON.stringify(ear.frames)).not.toContain("invisible");
        expect(his.heard("ERROR")).toEqual([]);
        const own = ear.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === bob.id);
        expect(own).toHaveLength(5);
      });
    }

    test("by many frames at once: the last one holds", async () => {
      const { alice, bob } = await friends(house());
      const his = await bob.listen();
      for (let i = 0; i < 10; i++) {
        for (const status of ["idle", "dnd", "online"]) his.say("PRESENCE_UPDATE", { status });
      }
      his.say("PRESENCE_UPDATE", { status: "idle" });
      await his.settle();
      await sees(alice, bob, "idle");
    });

    test("and stays chosen: who was invisible comes back unseen", async () => {
      const { alice, bob, ear } = await friends(house());
      expect((await bob.put("/auth/me/presence", { status: "invisible" })).status).toBe(204);
      const his = await bob.listen();
      await his.settle();
      expect((await alice.get(`/users/${bob.id}`)).body.presence as unknown).toBe("offline");
      await bob.put("/auth/me/presence", { status: "online" });
      expect(String((await told(ear, bob)).data.status)).toBe("online");
      expect(ear.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === bob.id)).toHaveLength(
        1,
      );
    });

    test("and is not betrayed where it is heard late that they came into a server", async () => {
      const { bob, home, ear } = await friends(house());
      await bob.put("/auth/me/presence", { status: "invisible" });
      await (await bob.listen()).settle();
      const came = { server_id: home.id, user_id: bob.id };
      for (const { house: each } of house().all) await looksOf(each).cameInto(came);
      await ear.settle();
      expect(ear.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === bob.id)).toEqual([]);
      await bob.put("/auth/me/presence", { status: "online" });
      expect(String((await told(ear, bob)).data.status)).toBe("online");
    });

    test("wrongly: 400, and nothing is told", async () => {
      const { bob, ear } = await friends(house());
      for (const body of [{ status: "away" }, { status: "offline" }, {}, { status: 1 }]) {
        expect((await bob.put("/auth/me/presence", body)).status).toBe(400);
      }
      await ear.settle();
      expect(ear.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === bob.id)).toEqual([]);
    });
  });
});

test("offline shows a while after the last socket went, not the first; who comes back before is not missed", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  try {
    const { alice, bob, home, ear } = await friends(house);
    const carol = await house.person("carol");
    await alice.bringIn(home.id, carol);
    const his = [await bob.listen(), await bob.listen()] as const;
    await told(ear, bob);
    const hers = await carol.listen();
    await told(ear, carol);
    // If he counted as gone with his first socket, the test would show it at its end.
    goneAfter(house, hourMs);
    his[0].close();
    await his[0].closed;
    // Carol's socket closes and another opens within the time, and then Bob's last one closes.
    goneAfter(house, whileMs);
    const left = performance.now();
    hers.close();
    await hers.closed;
    const back = await carol.listen();
    // On a stalled machine the time may have passed.
    const isMissed = performance.now() - left > 0.9 * whileMs;
    const going = performance.now();
    his[1].close();
    const heard = await told(ear, bob);
    expect(performance.now() - going).toBeGreaterThan(0.9 * whileMs);
    expect(heard.data as unknown).toEqual({ user_id: bob.id, status: "offline", status_text: "" });
    expect((await alice.get(`/users/${bob.id}`)).body.presence as unknown).toBe("offline");
    await back.settle();
    if (isMissed) return;
    expect(ear.heard("PRESENCE_UPDATE").filter(({ data }) => String(data.user_id) === carol.id)).toHaveLength(
      1,
    );
  } finally {
    await house.end();
  }
});

test("who went while the database did not say how they are to be seen is looked at again, and told of", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  try {
    const { bob, ear } = await friends(house);
    const his = await bob.listen();
    expect(String((await told(ear, bob)).data.status)).toBe("online");
    const { house: inside } = house.running;
    const read = spyOn(inside, "read").mockRejectedValue(new Error("the database is away"));
    const failures = spyOn(inside.log, "error");
    goneAfter(house, 0);
    his.close();
    const isNoted = () => failures.mock.calls.flat().includes("presence could not be told");
    await until(isNoted, "nobody is looked at");
    read.mockRestore();
    failures.mockRestore();
    expect(String((await told(ear, bob)).data.status)).toBe("offline");
  } finally {
    await house.end();
  }
});

test("in a server that is ten seconds", () => {
  expect(goneAfterMs).toBe(10_000);
});
