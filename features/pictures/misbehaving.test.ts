// One example of each kind of malicious picture host; misbehaving.long.test.ts has all of them.
import { expect, test } from "bun:test";
import { hostOf, MisbehavingHosts } from "../../tests/doubles/misbehaving-hosts.ts";
import { fewMisdeeds } from "../../tests/doubles/misdeeds.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { askFor, patientMs, withPictureHost } from "../../tests/house/scenes/pictures.ts";

const patienceMs = 1000;
const atOnce = 4;

withPictureHost("pictures of hosts that mean ill in a few ways", (house) => {
  test("a misdeed of each kind, all at once by both protocols: 404, and every connection is given back", async () => {
    using hosts = await MisbehavingHosts.open();
    hosts.serve(house(), patienceMs);
    const urls = fewMisdeeds.flatMap((each) => [`http://${hostOf(each)}/`, `https://${hostOf(each)}/`]);
    const people = await Promise.all(
      Array.from({ length: Math.ceil(urls.length / atOnce) }, (_, i) => house().person(`reader${i}`)),
    );
    const asking = urls.map(async (url, i) => {
      const who = people[Math.floor(i / atOnce)] as TestPerson;
      return [url, (await askFor(who, url)).status];
    });
    expect(await Promise.all(asking)).toEqual(urls.map((url) => [url, 404]));
    await until(() => hosts.open === 0, "a connection is still open");
    hosts.serve(house(), patientMs);
    const bystander = await house().person("bystander");
    expect((await askFor(bystander, `${hosts.goodUrl}/1.png`)).status).toBe(200);
  });
});
