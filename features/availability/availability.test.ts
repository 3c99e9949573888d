// Availability through the API: responses, events, and do-not-disturb outside the hours.
import { afterEach, beforeAll, expect, setSystemTime, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, type TestHouse } from "../../tests/house/open/engines.ts";
import type { Ear } from "../../tests/house/people/ear.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import type { Availability } from "./contract.ts";
import { availability } from "./handlers.ts";
import { updateLook } from "./store.ts";

const hourMs = 3600_000;

async function friends(house: TestHouse) {
  const [alice, bob, mallory] = [
    await house.person("alice"),
    await house.person("bob"),
    await house.person("mallory"),
  ];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  return { alice, bob, mallory, home };
}

/** A window in UTC, from `from` to `to` hours after now, to the minute. */
function fromNow(from: number, to: number) {
  const [start, end] = [new Date(Date.now() + from * hourMs), new Date(Date.now() + to * hourMs)];
  const clock = (time: Date) => time.toISOString().slice(11, 16);
  return { day: start.getUTCDay(), start: clock(start), end: clock(end) };
}

/** Waits until `by` sees this status, on whichever process answers. */
function sees(by: TestPerson, person: TestPerson, status: string): Promise<void> {
  const isSo = async () => String((await by.get(`/users/${person.id}`)).body.presence) === status;
  return until(isSo, `${person.username} is not seen to be ${status}`);
}

/** Waits for exactly these statuses, in this order. */
async function hears(ear: Ear, person: TestPerson, statuses: readonly string[]): Promise<void> {
  const told = () =>
    ear
      .heard("PRESENCE_UPDATE")
      .filter((frame) => String(frame.data.user_id) === person.id)
      .map((frame) => String(frame.data.status));
  await until(() => told().length >= statuses.length, `only ${told().join()} were heard`);
  await ear.settle();
  expect(told()).toEqual([...statuses]);
}

/** Moves the clock on by some hours, and runs the job that applies due changes. */
async function later(house: TestHouse, hours: number): Promise<void> {
  setSystemTime(new Date(Date.now() + hours * hourMs));
  await availability.jobs?.[0]?.run(house.running.house);
}

onEachEngine("availability", (house) => {
  // The tests move the clock on and run the job themselves.
  beforeAll(() => house().stopJobs());
  afterEach(() => {
    setSystemTime();
  });

  test("who never said anything can always be reached", async () => {
    const { alice, bob } = await friends(house());
    const always = {
      time_zone: "UTC",
      windows: [],
      dnd_outside: false,
      available_now: true,
      next_change_at: null,
    };
    expect((await bob.get("/auth/me/availability")).body as unknown).toEqual(always);
    expect((await alice.get(`/users/${bob.id}/availability`)).body as unknown).toEqual(always);
  });

  test("READY says that its person is on do-not-disturb by the hours, also in no server, unless invisible", async () => {
    const hours = { time_zone: "UTC", windows: [fromNow(2, 4)], dnd_outside: true };
    for (const [chosen, seen] of [
      ["online", "dnd"],
      ["invisible", "offline"],
    ] as const) {
      const alone = await house().person("alone");
      expect((await alone.put("/auth/me/availability", hours)).status).toBe(200);
      await alone.put("/auth/me/presence", { status: chosen });
      const { ready } = await alone.listen();
      expect((ready as unknown as { user: { presence: string } }).user.presence).toBe(seen);
    }
  });

  test("Bob says his hours; he and Alice are told them, and when they change next; a stranger is not", async () => {
    const { alice, bob, mallory } = await friends(house());
    const hours = {
      time_zone: "Asia/Kolkata",
      windows: [{ day: 1, start: "22:00", end: "06:00" }],
      dnd_outside: false,
    };
    setSystemTime(new Date("2026-06-08T12:00:00Z"));
    const said = await bob.put<Availability>("/auth/me/availability", hours);
    const expected = { ...hours, available_now: false, next_change_at: "2026-06-08T16:30:00.000Z" };
    expect([said.status, said.body]).toEqual([200, expected]);
    expect((await bob.get<Availability>("/auth/me/availability")).body).toEqual(expected);
    setSystemTime(new Date("2026-06-08T20:00:00Z"));
    expect((await alice.get<Availability>(`/users/${bob.id}/availability`)).body).toEqual({
      ...hours,
      available_now: true,
      next_change_at: "2026-06-09T00:30:00.000Z",
    });
    expect((await mallory.get(`/users/${bob.id}/availability`)).status).toBe(404);
    expect((await mallory.get(`/users/${mallory.id}/availability`)).status).toBe(200);
  });

  test("a zone is spelled as its list spells it; what is none, or no time, or too much, is 400 and changes nothing", async () => {
    const { bob } = await friends(house());
    const good = { time_zone: "europe/berlin", windows: [{ day: 0, start: "00:00", end: "00:00" }] };
    expect(String((await bob.put("/auth/me/availability", good)).body.time_zone)).toBe("Europe/Berlin");
    const before = (await bob.get("/auth/me/availability")).body;
    const window = { day: 1, start: "09:00", end: "17:00" };
    for (const wrong of [
      { time_zone: "Berlin" },
      { time_zone: "+01:00" },
      { time_zone: "local" },
      { time_zone: "" },
      { time_zone: 1 },
      { time_zone: undefined },
      { windows: undefined },
      { windows: [{ ...window, day: 7 }] },
      { windows: [{ ...window, day: 1.5 }] },
      { windows: [{ ...window, day: "1" }] },
      { windows: [{ ...window, start: "9:00" }] },
      { windows: [{ ...window, end: "24:00" }] },
      { windows: [{ ...window, end: "12:60" }] },
      { windows: Array(limits.availability_windows_max + 1).fill(window) },
      { dnd_outside: "yes" },
    ]) {
      const answer = await bob.put("/auth/me/availability", { ...good, ...wrong });
      expect([answer.status, String(answer.body.code)]).toEqual([400, "invalid_request"]);
    }
    expect((await bob.get("/auth/me/availability")).body).toEqual(before);
    const most = { ...good, windows: Array(limits.availability_windows_max).fill(window) };
    expect((await bob.put("/auth/me/availability", most)).status).toBe(200);
  });

  test("hours that were reckoned while the clock was ahead are reckoned anew when it is right again", async () => {
    const { alice, bob } = await friends(house());
    const his = await bob.listen();
    setSystemTime(new Date(Date.now() + 20 * 24 * hourMs));
    await bob.put("/auth/me/availability", {
      time_zone: "UTC",
      windows: [fromNow(-1, 1)],
      dnd_outside: true,
    });
    await sees(alice, bob, "online");
    setSystemTime();
    await later(house(), 0);
    await sees(alice, bob, "dnd");
    his.close();
  });

  test("hours that somebody changes while they are looked through are as they were changed", async () => {
    const { bob } = await friends(house());
    const hours = { time_zone: "UTC", windows: [fromNow(2, 4)], dnd_outside: true };
    await bob.put("/auth/me/availability", hours);
    const row = () =>
      house()
        .running.house.database.read.selectFrom("availability")
        .selectAll()
        .where("user_id", "=", bob.id)
        .executeTakeFirstOrThrow();
    const [before, late] = [await row(), { dnd_now: 0, due_at: Date.now() + 24 * hourMs }];
    const look = () =>
      house().running.house.write(({ db }) => updateLook(db, before, { ...before, ...late }));
    for (const change of [{ windows: [fromNow(2, 5)] }, { dnd_outside: false }]) {
      await bob.put("/auth/me/availability", { ...hours, ...change });
      const changed = await row();
      await look();
      expect(await row()).toEqual(changed);
    }
    await bob.put("/auth/me/availability", hours);
    await look();
    expect(await row()).toEqual({ ...before, ...late });
  });

  test("where the hours of many begin at one minute, others have their turn between them", async () => {
    const people = await Promise.all(Array.from({ length: 30 }, (_, i) => house().person(`early${i}`)));
    const hours = { time_zone: "UTC", windows: [fromNow(2, 4)], dnd_outside: true };
    for (const person of people) await person.put("/auth/me/availability", hours);
    const { rowsInOneTurn } = await statementsOf(house(), () => later(house(), 3));
    expect(rowsInOneTurn).toBeLessThanOrEqual(45);
    for (const person of people) {
      expect((await person.get<Availability>("/auth/me/availability")).body.available_now).toBe(true);
      await sees(person, person, "offline");
    }
  });

  test("outside his hours Bob is shown as on do-not-disturb, at once, and as he chose again when he takes it back", async () => {
    const { alice, bob } = await friends(house());
    const ear = await alice.listen();
    const his = await bob.listen();
    // After changes in quick succession only the last may be sent.
    await hears(ear, bob, ["online"]);
    await bob.put("/auth/me/presence", { status: "idle" });
    await hears(ear, bob, ["online", "idle"]);
    const outside = { time_zone: "UTC", windows: [fromNow(2, 4)], dnd_outside: true };
    await bob.put("/auth/me/availability", outside);
    await bob.put("/auth/me/availability", outside);
    await hears(ear, bob, ["online", "idle", "dnd"]);
    await sees(alice, bob, "dnd");
    await bob.put("/auth/me/availability", { ...outside, dnd_outside: false });
    await sees(alice, bob, "idle");
    await bob.put("/auth/me/availability", { ...outside, windows: [] });
    await hears(ear, bob, ["online", "idle", "dnd", "idle"]);
    his.close();
    ear.close();
  });

  test("what he chooses meanwhile is kept for later, and is not told; hiding hides him all the same", async () => {
    const { alice, bob } = await friends(house());
    await bob.put("/auth/me/availability", { time_zone: "UTC", windows: [fromNow(2, 4)], dnd_outside: true });
    const ear = await alice.listen();
    const his = await bob.listen();
    await hears(ear, bob, ["dnd"]);
    await bob.put("/auth/me/presence", { status: "idle" });
    await bob.put("/auth/me/presence", { status: "dnd" });
    await bob.put("/auth/me/presence", { status: "invisible" });
    await hears(ear, bob, ["dnd", "offline"]);
    await sees(alice, bob, "offline");
    await bob.put("/auth/me/presence", { status: "online" });
    await sees(alice, bob, "dnd");
    await hears(ear, bob, ["dnd", "offline", "dnd"]);
    his.close();
    ear.close();
  });

  test("when his hours begin and end, it shows without his doing anything; while he is away nobody is told", async () => {
    const { alice, bob } = await friends(house());
    await bob.put("/auth/me/availability", { time_zone: "UTC", windows: [fromNow(2, 4)], dnd_outside: true });
    const ear = await alice.listen();
    await later(house(), 3);
    await sees(alice, bob, "offline");
    const his = await bob.listen();
    await hears(ear, bob, ["online"]);
    await later(house(), 0.25);
    await hears(ear, bob, ["online"]);
    await sees(alice, bob, "online");
    await later(house(), 1);
    await hears(ear, bob, ["online", "dnd"]);
    await sees(alice, bob, "dnd");
    await later(house(), 24 * 7 - 1);
    await sees(alice, bob, "online");
    await hears(ear, bob, ["online", "dnd", "online"]);
    his.close();
    ear.close();
  });

  test("after a restart he is on do-not-disturb from the first moment, and what was missed meanwhile is made up for", async () => {
    const { alice, bob } = await friends(house());
    const carol = await house().person("carol");
    await alice.bringIn((await alice.get<{ id: string }[]>("/servers")).body[0]?.id ?? "", carol);
    await bob.put("/auth/me/availability", { time_zone: "UTC", windows: [fromNow(5, 6)], dnd_outside: true });
    await carol.put("/auth/me/availability", {
      time_zone: "UTC",
      windows: [fromNow(2, 4)],
      dnd_outside: true,
    });
    setSystemTime(new Date(Date.now() + 3 * hourMs));
    await house().restart();
    const ear = await alice.listen();
    const [his, hers] = [await bob.listen(), await carol.listen()];
    await hears(ear, bob, ["dnd"]);
    await hears(ear, carol, ["online"]);
    for (const each of [ear, his, hers]) each.close();
  });
});
