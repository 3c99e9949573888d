// A client's stored resume point may be damaged: it then gets a fresh READY, and is not signed out.
import { expect, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import { Ear } from "../house/people/ear.ts";

onEachEngine("a damaged resume", (house) => {
  test("is answered with READY", async () => {
    const alice = await house().person("alice");
    await alice.makeServer();
    for (const resume of [null, { epoch: "x" }, { epoch: "x", streams: { some: "text" } }, 7]) {
      const ear = await Ear.connect(house().url);
      ear.say("AUTH", { token: alice.token, resume });
      expect((await ear.next("READY")).data.session_id).toBeDefined();
      ear.close();
    }
  });
});
