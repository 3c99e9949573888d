// Pushes without the other tests' helpers: the server's own jobs fan out and send messages.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newId } from "../../server/tokens.ts";
import { PushService } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { neighboursWithBrowsers } from "../../tests/house/scenes/pushes.ts";
import { raiseVersion, upsertSubscription } from "./store.ts";

onEachEngine("a house that is left alone", (house) => {
  let service: PushService;
  beforeAll(async () => {
    service = await PushService.open();
    service.serve(house());
  });
  afterAll(() => service.close());

  test("pushes what mentions Bob, and what mentions him next", async () => {
    const { alice, bob, general, his, carols } = await neighboursWithBrowsers(house(), service);
    await alice.say(general, `<@${bob.id}> tea?`);
    await until(() => service.at(his).length > 0, "nothing is pushed");
    await alice.say(general, `<@${bob.id}> or coffee?`);
    await until(() => service.at(his).length > 1, "nothing more is pushed");
    expect(service.notices(his).map(({ body }) => body)).toEqual(["@bob tea?", "@bob or coffee?"]);
    expect(service.at(carols)).toEqual([]);
  });

  test("pushes to a browser that another process has subscribed, whatever it has heard of that", async () => {
    const { running } = house();
    // A single process knows everything anyway.
    if (!running.house.isShared) return;
    const [alice, dave] = [await house().person("alice"), await house().person("dave")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, dave);
    const browser = service.browser();
    const { database } = running.house;
    const { id: session_id } = await database.read
      .selectFrom("sessions")
      .select("id")
      .where("user_id", "=", dave.id)
      .executeTakeFirstOrThrow();
    // The notice about it gets lost.
    await database.transaction(async (db) => {
      await raiseVersion(db);
      const row = { id: newId(), user_id: dave.id, session_id, ...browser.subscription, created_at: 1 };
      await upsertSubscription(db, row);
    });
    await alice.say(home.general.id, `<@${dave.id}> tea?`);
    await until(() => service.at(browser).length > 0, "nothing is pushed");
    expect(service.notices(browser).map(({ body }) => body)).toEqual(["@dave tea?"]);
  });
});
