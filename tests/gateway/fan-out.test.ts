// Long messages to many sockets: sent in pieces, with turns of the event loop between, each to each socket once.
import { expect, test } from "bun:test";
import { nextTurn } from "../../server/house/pieces.ts";
import { onEachEngine, onOneProcess } from "../house/open/engines.ts";

const long = "🦊".repeat(4000);

// It counts the deliveries of one process in one turn of its event loop.
onOneProcess("a crowd that is told long messages", (house) => {
  test("hears them in pieces, however many are written together", async () => {
    const alice = await house().person("alice");
    const home = await alice.makeServer();
    const ears = await Promise.all(Array.from({ length: 40 }, () => alice.listen()));
    const { metrics } = house().running.house;
    const begins = metrics.deliveries;
    const posts = 20;
    let most = 0;
    const said = Promise.all(Array.from({ length: posts }, () => alice.say(home.general.id, long)));
    for (let before = begins; before < begins + posts * ears.length; ) {
      await nextTurn();
      most = Math.max(most, metrics.deliveries - before);
      before = metrics.deliveries;
    }
    await said;
    // About a million characters of the six in all.
    expect(most).toBeLessThan(200);
    for (const ear of ears) await ear.untilAll(() => ear.heard("MESSAGE_CREATE").length === posts);
  });
});

onEachEngine("a crowd that listens", (house) => {
  test("hears all in order and each once, whoever comes and goes; and whoever may not see it hears nothing", async () => {
    const [alice, bob] = [await house().person("alice"), await house().person("bob")];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    await alice.patch(`/servers/${home.id}/roles/${home.everyone.id}`, { permissions: 0 });
    const outsider = await bob.listen();
    const ears = await Promise.all(Array.from({ length: 40 }, () => alice.listen()));
    let talks = true;
    const talking = (async () => {
      for (let i = 0; i < 12; i++)
        await Promise.all(Array.from({ length: 5 }, () => alice.say(home.general.id, long)));
      talks = false;
    })();
    while (talks) {
      ears.push(await alice.listen());
      ears.shift()?.close();
    }
    await talking;
    await alice.patch(`/servers/${home.id}`, { name: "later" });
    for (const ear of [...ears, outsider]) await ear.next("SERVER_UPDATE");
    for (const ear of ears) {
      const [{ seq: begin } = { seq: 0 }] = ear.ready.servers as unknown as { seq: number }[];
      const heard = ear.frames.flatMap(({ seq }) => seq ?? []);
      expect(heard).toEqual(heard.map((_, i) => begin + 1 + i));
    }
    expect(outsider.heard("MESSAGE_CREATE")).toEqual([]);
  });
});
