// The test push to an admin's own browsers: it arrives, or the reason is reported.
import { expect, test } from "bun:test";
import { network } from "../../server/outbound/network.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import { browserOf, withPushService } from "../../tests/house/scenes/pushes.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { checkPush } from "./doctor.ts";
import { vapidDetails } from "./keys.ts";

withPushService("a test push", (house, service) => {
  const subscriptionsOf = (userId: string) =>
    house()
      .running.house.database.read.selectFrom("push_subscriptions")
      .select("id")
      .where("user_id", "=", userId)
      .execute();

  async function admin(name: string) {
    const person = await house().person(name);
    await house().running.house.write(({ db }) =>
      db.updateTable("users").set({ instance_role: "admin" }).where("id", "=", person.id).execute(),
    );
    return person;
  }

  test("goes to all browsers of the caller, and to nobody else's; the log says who asked for it", async () => {
    const [olga, bob] = [await admin("olga"), await house().person("bob")];
    expect(verdict(await olga.post("/admin/test-push"))).toBe("409 conflict");
    const hers = [await browserOf(olga, service()), await browserOf(olga, service())];
    const his = await browserOf(bob, service());
    using log = new Logged(house(), "info");
    expect(verdict(await olga.post("/admin/test-push"))).toBe("204");
    const [line] = log.calls.map(([first]) => first as unknown);
    expect(line).toEqual({ by: olga.id });
    for (const browser of hers)
      expect(service().notices(browser)).toEqual([
        { type: "test", title: "Hearth", body: "Notifications arrive here.", url: house().publicUrl },
      ]);
    expect(service().at(his)).toEqual([]);
    expect(verdict(await bob.post("/admin/test-push"))).toBe("403 forbidden");
  });

  test("is good where one browser got it; a subscription that is over goes, and is heard of", async () => {
    const olga = await admin("olga");
    const [gone, failing, well] = [
      await browserOf(olga, service()),
      await browserOf(olga, service()),
      await browserOf(olga, service()),
    ];
    const ear = await olga.listen();
    service().behave(gone, { status: 410 });
    service().behave(failing, { status: 500 });
    expect(verdict(await olga.post("/admin/test-push"))).toBe("204");
    expect(service().notices(well)).toHaveLength(1);
    await ear.next("PUSH_SUBSCRIPTIONS_UPDATE");
    expect(await subscriptionsOf(olga.id)).toHaveLength(2);
    ear.close();
  });

  test("that nobody takes is told with the reason; with nothing left to send to it is a conflict", async () => {
    const olga = await admin("olga");
    const browser = await browserOf(olga, service());
    service().behave(browser, { status: 503 }, { status: 403 }, { status: 404 });
    for (const status of [503, 403]) {
      const answer = await olga.post<{ error: string }>("/admin/test-push");
      expect(verdict(answer)).toBe("503 unavailable");
      expect(answer.body.error).toContain(`status ${status}`);
      expect(answer.body.error).not.toContain("push.example");
    }
    expect(verdict(await olga.post("/admin/test-push"))).toBe("409 conflict");
    expect(await subscriptionsOf(olga.id)).toEqual([]);
  });

  test("a service that says nothing is waited for a short while only", async () => {
    service().serve(house(), { patienceMs: 300 });
    const olga = await admin("olga");
    service().behave(await browserOf(olga, service()), "silence");
    expect(verdict(await soon(olga.post("/admin/test-push")))).toBe("503 unavailable");
  });

  test("is sent one at a time; more than a few at once are refused", async () => {
    // The patience is longer than a busy machine may take to refuse the others.
    service().serve(house(), { patienceMs: 60_000 });
    const olga = await admin("olga");
    await browserOf(olga, service());
    const released = Promise.withResolvers<void>();
    for (const running of house().all) {
      const kept = network(running.house);
      const { lookup } = kept.current;
      kept.current = { ...kept.current, lookup: (name) => released.promise.then(() => lookup(name)) };
    }
    const { length: processes } = house().all;
    let refused = 0;
    const tests = Array.from({ length: 4 * processes }, async () => {
      const answer = await olga.post("/admin/test-push");
      if (answer.status === 429) refused++;
      return verdict(answer);
    });
    await until(() => refused >= processes, "none is refused");
    released.resolve();
    const answers = (await Promise.all(tests)).sort();
    service().serve(house());
    expect(answers).toEqual([
      ...Array(tests.length - refused).fill("204"),
      ...Array(refused).fill("429 rate_limited"),
    ]);
  });
});

test("push services are told the contact that is set, or else the public address by https; the doctor notes that there is none", async () => {
  const found: Record<string, unknown> = {};
  const contacts: Record<string, string>[] = [
    { PUBLIC_URL: "https://chat.people.example", VAPID_SUBJECT: "mailto:olga@people.example" },
    { PUBLIC_URL: "https://chat.people.example" },
    { PUBLIC_URL: "http://chat.people.example" },
  ];
  for (const settings of contacts) {
    const house = await makeHouse("SQLite", { LOG_LEVEL: "silent", ...settings });
    await house.open();
    const { state } = await checkPush(house.running.house.config);
    found[vapidDetails(house.running.house).subject] = state;
    await house.end();
  }
  expect(found).toEqual({
    "mailto:olga@people.example": "ok",
    "https://chat.people.example/": "ok",
    "mailto:nobody@example.com": "note",
  });
});
