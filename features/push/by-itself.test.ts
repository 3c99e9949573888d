// The house pushes by itself, without the hands of the other tests: its jobs fan out and send what people say.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { PushService } from "../../tests/doubles/web-push.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import { neighboursWithBrowsers } from "../../tests/house/pushes.ts";
import { until } from "../../tests/house/waiting.ts";

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
});
