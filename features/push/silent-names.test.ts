// Endpoints whose name servers do not answer: a subscription there delays no author.
import { afterAll, beforeAll, test } from "bun:test";
import { createSocket } from "node:dgram";
import { getServers, setServers } from "node:dns";
import { Browser } from "../../tests/doubles/web-push.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";

/** Receives queries without answering. */
const silent = createSocket("udp4");
const usual = getServers();
let asked = "";
beforeAll(async () => {
  silent.on("message", (question) => {
    asked += question.toString("latin1");
  });
  await new Promise<void>((open) => silent.bind(0, "127.0.0.1", open));
  setServers([`127.0.0.1:${silent.address().port}`]);
});
afterAll(() => {
  setServers(usual);
  silent.close();
});

onEachEngine("subscriptions at names that nobody answers for", (house) => {
  test("are asked about beside everything else: a post is on the disk all the same", async () => {
    const alice = await house().person("alice");
    const { general } = await alice.makeServer();
    const names = Array.from({ length: 8 }, (_, i) => `silent${i}-${house().engine.toLowerCase()}`);
    const subscribing = names.map((name) =>
      alice.post("/push/subscribe", new Browser(`https://${name}.push.example/x`).subscription),
    );
    await until(() => names.every((name) => asked.includes(name)), "the name server was not asked");
    await alice.say(general.id, "hello");
    await Promise.all(subscribing);
  });
});
