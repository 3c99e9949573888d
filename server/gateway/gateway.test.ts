// A gateway whose runtime fails to publish: no socket goes on as if it had heard everything.
import { expect, spyOn, test } from "bun:test";
import { closeCode } from "../../protocol/frames.ts";
import { makeHouse, onEachEngine } from "../../tests/house/engines.ts";
import { until } from "../../tests/house/waiting.ts";
import { wireWith } from "../../tests/house/wire.ts";
import { Gateway } from "./gateway.ts";
import { Socket } from "./socket.ts";

onEachEngine(
  "a gateway that cannot publish",
  (house) => {
    test("ends its sockets with 1012, so that they resume; the change is answered as ever", async () => {
      const alice = await house().person("alice");
      const home = await alice.makeServer();
      const { house: running } = house().running;
      const gateway = new Gateway(running, running.bus);
      gateway.publishThrough({
        publish(_, frame) {
          if (frame.includes("MESSAGE_CREATE")) throw new Error("the runtime cannot");
        },
        count: () => 0,
      });
      const sent: string[] = [];
      const codes: number[] = [];
      const wire = wireWith({
        send: (frame) => sent.push(frame),
        close: (code) => void codes.push(code),
      });
      const socket = new Socket(undefined, "127.0.0.1");
      gateway.opened(socket, wire);
      await gateway.received(socket, JSON.stringify({ type: "AUTH", data: { token: alice.token } }));
      expect(JSON.parse(sent[0] ?? "").type).toBe("READY");
      await alice.say(home.general.id, "unheard");
      await until(() => codes.length > 0, "it stays open");
      expect(codes).toEqual([closeCode.restart.code]);
      gateway.closed(socket);
      gateway.close("restart");
    });
  },
  { LOG_LEVEL: "silent" },
);

test("a gateway is at rest only when what it heard has gone out, and its sockets follow what they may", async () => {
  const house = await makeHouse("SQLite", {}, undefined, true);
  await house.open();
  const [alice, bob] = [await house.person("alice"), await house.person("bob")];
  const home = await alice.makeServer();
  const ear = await bob.listen();
  const { gateway, house: running } = house.running;
  const { database } = running;
  const mayLoad = Promise.withResolvers<void>();
  const snapshot = database.snapshot.bind(database);
  const loading = spyOn(database, "snapshot").mockImplementation(async (work) => {
    await mayLoad.promise;
    return snapshot(work);
  });
  await alice.bringIn(home.id, bob);
  await until(() => loading.mock.calls.length > 0, "nothing is loaded");
  expect([gateway.isAtRest, ear.heard("SERVER_CREATE")]).toEqual([false, []]);
  loading.mockRestore();
  mayLoad.resolve();
  await ear.settle();
  expect([gateway.isAtRest, ear.heard("SERVER_CREATE").length]).toEqual([true, 1]);
  await house.end();
});
