// Sending to a push service that rejects, stalls, floods and redirects, to inward names, and across restarts.
import { expect, setSystemTime, test } from "bun:test";
import { newId } from "../../server/tokens.ts";
import type { Browser, Manner, PushService } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import type { TestHouse } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import {
  allPushed,
  allPushedInTime,
  allTried,
  browserOf,
  pushedUntil,
  withPushService,
} from "../../tests/house/scenes/pushes.ts";
import { fanOut } from "./fan-out.ts";
import { waitOf } from "./push-request.ts";
import { hastenPutOff, sendDue } from "./sending.ts";

async function pair(house: TestHouse, service: PushService) {
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  await alice.bringIn(home.id, bob);
  const mention = (text: string) => alice.say(home.general.id, `@${bob.username} ${text}`);
  return { alice, bob, home, mention, browser: await browserOf(bob, service) };
}

async function isSubscribed(house: TestHouse, browser: Browser): Promise<boolean> {
  const { read } = house.running.house.database;
  const rows = await read.selectFrom("push_subscriptions").select("endpoint").execute();
  return rows.some((row) => row.endpoint === browser.endpoint);
}

/** The queued deliveries, oldest first. */
function waiting(house: TestHouse) {
  const { read } = house.running.house.database;
  return read.selectFrom("push_deliveries").selectAll().orderBy("id").execute();
}

/** The delay until the only queued delivery is tried again, in milliseconds. */
async function nextTry(house: TestHouse): Promise<number | undefined> {
  const [row] = await waiting(house);
  return row && Number(row.due_at) - Date.now();
}

async function subscribe(person: TestPerson, browser: Browser): Promise<void> {
  expect((await person.post("/push/subscribe", browser.subscription)).status).toBe(204);
}

withPushService("sending pushes", (house, service) => {
  for (const status of [404, 410]) {
    test(`${status} ends that subscription, and no other, and its person hears of it`, async () => {
      const { bob, mention, browser } = await pair(house(), service());
      const other = await browserOf(bob, service());
      await bob.put("/auth/me/push-settings", { when: "always" });
      const ear = await bob.listen();
      service().behave(browser, { status });
      await mention("one");
      await allPushed(house());
      expect([await isSubscribed(house(), browser), await isSubscribed(house(), other)]).toEqual([
        false,
        true,
      ]);
      await ear.next("PUSH_SUBSCRIPTIONS_UPDATE");
      ear.close();
      await mention("two");
      await allPushed(house());
      expect([service().at(browser).length, service().at(other).length]).toEqual([1, 2]);
    });
  }

  for (const status of [408, 429, 500, 503]) {
    test(`${status} is tried again, until it is taken`, async () => {
      const { mention, browser } = await pair(house(), service());
      service().behave(browser, { status }, { status });
      await mention("again");
      await allPushedInTime(house());
      expect(service().at(browser)).toHaveLength(3);
      expect(await isSubscribed(house(), browser)).toBe(true);
    });
  }

  test("five failures are enough: it is dropped, and the subscription stays for the next", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, ...Array<Manner>(5).fill({ status: 500 }));
    await mention("lost");
    await allPushedInTime(house());
    expect(service().at(browser)).toHaveLength(5);
    await mention("found");
    await allPushed(house());
    expect(service().at(browser)).toHaveLength(6);
  });

  test("after each failure it waits longer: ten seconds, half a minute, two minutes, ten minutes", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, ...Array<Manner>(4).fill({ status: 500 }));
    await mention("patience");
    let at = Date.now();
    try {
      for (const pauseMs of [10_000, 30_000, 120_000, 600_000]) {
        setSystemTime(new Date(at));
        await allTried(house());
        const [row] = await waiting(house());
        expect(Number(row?.due_at) - at).toBe(pauseMs);
        at += pauseMs;
      }
    } finally {
      setSystemTime();
    }
    await allPushedInTime(house());
    expect(service().at(browser)).toHaveLength(5);
  });

  test("while a push is under way no process tries it again, for as long as a try may take", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, "silence");
    const before = Date.now();
    await mention("slowly");
    await pushedUntil(house(), () => service().at(browser).length === 1, "the first try did not come");
    for (const running of house().all) await sendDue(running.house);
    const [row] = await waiting(house());
    expect(row?.tries).toBe(1);
    expect(Number(row?.due_at)).toBeGreaterThanOrEqual(before + 30_000);
    service().hangUp();
    await allPushedInTime(house());
    expect(service().at(browser)).toHaveLength(2);
  });

  test("what a process that died was trying is given up after five tries, or hours later; what was never tried is sent", async () => {
    const { mention, browser } = await pair(house(), service());
    const hour = 3600_000;
    const found = [
      { tries: 5, ageMs: 0 },
      { tries: 1, ageMs: 7 * hour },
      { tries: 4, ageMs: 5 * hour },
      { tries: 0, ageMs: 7 * hour },
    ];
    const said: string[] = [];
    for (const [i] of found.entries()) said.push((await mention(`number ${i}`)).id);
    await until(async () => {
      await fanOut(house().running.house);
      return (await waiting(house())).length === found.length;
    }, "they were not fanned out");
    await house().running.house.database.transaction(async (db) => {
      for (const [i, { tries, ageMs }] of found.entries())
        await db
          .updateTable("push_deliveries")
          .set({ tries, created_at: Date.now() - ageMs })
          .where("message_id", "=", said[i]!)
          .execute();
    });
    await allPushed(house());
    const got = service()
      .notices(browser)
      .map(({ body }) => String(body).slice(-"number 0".length));
    expect(got.sort()).toEqual(["number 2", "number 3"]);
  });

  test("who is in the middle of a long queue that is held up gets theirs all the same", async () => {
    service().serve(house(), { patienceMs: 600_000 });
    const { alice, bob, home, browser } = await pair(house(), service());
    const carol = await house().person("carol");
    await alice.bringIn(home.id, carol);
    const carols = await browserOf(carol, service());
    service().behave(browser, ...Array<Manner>(10).fill("silence"));
    await alice.say(home.general.id, `<@${bob.id}> <@${carol.id}> hello?`);
    await until(async () => {
      await fanOut(house().running.house);
      return (await waiting(house())).length === 2;
    }, "it was not fanned out");
    const rows = await waiting(house());
    const his = rows.find((row) => row.user_id === bob.id)!;
    const first = Date.now() - 3600_000;
    await fill(
      house(),
      "push_deliveries",
      Array.from({ length: 300 }, (_, i) => ({ ...his, id: newId(), due_at: first + i })),
    );
    const { database } = house().running.house;
    await database.transaction((db) =>
      db
        .updateTable("push_deliveries")
        .set({ due_at: first + 150 })
        .where("user_id", "=", carol.id)
        .execute(),
    );
    await pushedUntil(house(), () => service().at(carols).length === 1, "Carol was held up");
    await bob.post("/push/unsubscribe", browser.subscription);
    service().hangUp();
    service().serve(house());
    await allPushed(house());
  });

  test("while a browser's service fails, what waits behind is put off, and loses no try of its own", async () => {
    const { mention, browser } = await pair(house(), service());
    const texts = Array.from({ length: 6 }, (_, i) => `number ${i}`);
    // As many of a person's as are tried at once.
    service().behave(browser, ...Array<Manner>(4).fill({ status: 503 }));
    for (const text of texts) await mention(text);
    await allTried(house());
    const tries = (await waiting(house())).map((row) => row.tries);
    expect(tries.sort()).toEqual([0, 0, 1, 1, 1, 1]);
    await allPushedInTime(house());
    const got = service()
      .notices(browser)
      .map(({ body }) => String(body));
    for (const text of texts) expect(got.filter((body) => body.includes(text)).length).toBeGreaterThan(0);
  });

  test("behind a service that fails, what was not tried in a day is given up; what is younger waits on", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, ...Array<Manner>(4).fill({ status: 503 }));
    for (let i = 0; i < 8; i++) await mention(`number ${i}`);
    await until(async () => {
      await fanOut(house().running.house);
      return (await waiting(house())).length === 8;
    }, "they were not fanned out");
    const hour = 3600_000;
    const [young, ...old] = (await waiting(house())).map(({ id }) => id).reverse();
    await house().running.house.database.transaction(async (db) => {
      const change = (ageMs: number) =>
        db.updateTable("push_deliveries").set({ created_at: Date.now() - ageMs });
      await change(25 * hour)
        .where("id", "in", old)
        .execute();
      await change(23 * hour)
        .where("id", "=", young!)
        .execute();
    });
    await allTried(house());
    // As many of a person's as are tried at once, each for the last time at its age.
    expect(service().at(browser)).toHaveLength(4);
    expect((await waiting(house())).map(({ id, tries }) => [id, tries])).toEqual([[young!, 0]]);
    await allPushedInTime(house());
    expect(service().at(browser)).toHaveLength(5);
  });

  test("Retry-After is kept to; one beyond the hours in which a mention is news drops it", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, { status: 429, headers: { "Retry-After": "300" } });
    await mention("patience");
    const before = Date.now();
    await allTried(house());
    const [put] = await waiting(house());
    expect(Number(put?.due_at)).toBeWithin(before + 300_000, Date.now() + 300_001);
    await allPushedInTime(house());
    expect(service().at(browser)).toHaveLength(2);
    service().behave(browser, { status: 503, headers: { "Retry-After": "86400" } });
    await mention("too late");
    await allPushed(house());
    expect(service().at(browser)).toHaveLength(3);
  });

  test("put off while the clock was ahead, it is sent soon after that is right again", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, { status: 503 });
    setSystemTime(Date.now() + 20 * 24 * 3600_000);
    try {
      await mention("from the future");
      // During an attempt it is postponed for longer.
      const isPutOff = (ms = 0) => ms > 1000 && ms <= 10_000;
      await pushedUntil(house(), async () => isPutOff(await nextTry(house())), "it was not put off");
    } finally {
      setSystemTime();
    }
    await hastenPutOff(house().running.house);
    await allPushed(house());
    expect(service().at(browser)).toHaveLength(2);
  });

  test("Retry-After may be a date; nonsense is none", () => {
    const now = Date.parse("2026-06-08T12:00:00Z");
    expect(waitOf("Mon, 08 Jun 2026 12:01:00 GMT", now)).toBe(60_000);
    expect(waitOf("Mon, 08 Jun 2026 11:00:00 GMT", now)).toBe(0);
    for (const nonsense of ["soon", "-5", "1e9", "", undefined]) expect(waitOf(nonsense, now)).toBe(0);
  });

  for (const status of [301, 302, 307, 308]) {
    test(`a redirect (${status}) is not followed, and not tried again`, async () => {
      const { mention, browser } = await pair(house(), service());
      const elsewhere = service().browser();
      service().behave(browser, { status, headers: { Location: elsewhere.endpoint } });
      await mention("over there");
      await allPushed(house());
      expect([service().at(browser).length, service().at(elsewhere).length]).toEqual([1, 0]);
    });
  }

  for (const status of [400, 403, 413]) {
    test(`${status} is not tried again, and the log has why`, async () => {
      const { mention, browser } = await pair(house(), service());
      service().behave(browser, { status });
      using log = new Logged(house(), "warn");
      await mention("no");
      await allPushed(house());
      // The clock of an earlier test may be told of meanwhile.
      const ofPushes = log.calls.filter((call) => /push/.test(String(call.at(-1))));
      expect(ofPushes).toEqual([[{ why: `status ${status}` }, "a push was refused and is dropped"]]);
      expect(service().at(browser)).toHaveLength(1);
      expect(await isSubscribed(house(), browser)).toBe(true);
    });
  }

  test("a person's services that say nothing hold up nobody else", async () => {
    service().serve(house(), { patienceMs: 600_000 });
    const { alice, bob, home, mention, browser } = await pair(house(), service());
    const carol = await house().person("carol");
    await alice.bringIn(home.id, carol);
    for (let i = 0; i < 18; i++) service().behave(await browserOf(bob, service()), "silence");
    service().behave(browser, "silence", "silence");
    const carols = await browserOf(carol, service());
    const reached = service().reached.length;
    await mention("hello?");
    await pushedUntil(house(), () => service().reached.length >= reached + 4, "nothing is under way");
    await alice.say(home.general.id, `@${carol.username} quick`);
    await pushedUntil(house(), () => service().at(carols).length === 1, "Carol was held up");
    // The first four are still in progress.
    expect(service().reached.length).toBe(reached + 5);
    await bob.post("/push/unsubscribe", browser.subscription);
    const { database } = house().running.house;
    await database.transaction((db) =>
      db.deleteFrom("push_subscriptions").where("user_id", "=", bob.id).execute(),
    );
    service().hangUp();
    service().serve(house());
    await allPushed(house());
  });

  test("a service that says nothing is given up in time, and those behind it have their turn", async () => {
    const { bob, mention, browser } = await pair(house(), service());
    service().behave(browser, "silence");
    for (let i = 0; i < 4; i++) service().behave(await browserOf(bob, service()), "silence");
    service().serve(house(), { patienceMs: 300 });
    await mention("hello?");
    await allTried(house());
    expect((await waiting(house())).map(({ tries }) => tries)).toEqual([1, 1, 1, 1, 1]);
    service().serve(house());
    await allPushedInTime(house());
    expect(String(service().notices(browser).at(-1)?.body)).toEndWith("hello?");
  });

  test("an answer that drips or floods is not read: its status is all that counts", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, "drip", "flood");
    await mention("take this");
    await allPushedInTime(house());
    // Waiting for the body would count as a failure, and the push would be retried.
    expect(service().at(browser)).toHaveLength(2);
    await until(async () => (await service().connections()) === 0, "it goes on being read");
  });

  test("a name that turns inward after the subscription is not connected to", async () => {
    const { bob, mention } = await pair(house(), service());
    service().names.set("rebound.example", ["93.184.216.34"]);
    const browser = service().browser("rebound.example");
    await subscribe(bob, browser);
    await mention("one");
    await allPushed(house());
    const reached = service().reached.length;
    for (const inward of [["127.0.0.1"], ["::1"], ["93.184.216.34", "169.254.169.254"]]) {
      service().names.set("rebound.example", inward);
      await mention("two");
      await allPushed(house());
    }
    expect(service().at(browser)).toHaveLength(1);
    // The three that were sent went to Bob's other browser, at its own name.
    expect(service().reached.slice(reached)).toEqual(Array(3).fill("93.184.216.34"));
  });

  test("only the name's own certificate counts: another's server at the address gets nothing", async () => {
    const { bob, mention } = await pair(house(), service());
    service().names.set("other.example", ["93.184.216.34"]);
    const browser = service().browser("other.example");
    await subscribe(bob, browser);
    await mention("secret");
    await allTried(house());
    expect((await waiting(house())).map(({ tries }) => tries)).toEqual([1]);
    expect(service().at(browser)).toEqual([]);
    await bob.post("/push/unsubscribe", browser.subscription);
    await allPushed(house());
  });

  test("what was said before a restart is pushed after it, what was under way is taken up again, and it goes on", async () => {
    const { mention, browser } = await pair(house(), service());
    service().behave(browser, "silence");
    await mention("one");
    await pushedUntil(house(), () => service().at(browser).length === 1, "the first try did not come");
    await mention("two");
    await house().restart();
    service().serve(house());
    await mention("new");
    await allPushedInTime(house());
    const bodies = service()
      .notices(browser)
      .map((notice) => String(notice.body).slice(-3));
    expect(bodies.sort()).toEqual(["new", "one", "one", "two"]);
  });
});
