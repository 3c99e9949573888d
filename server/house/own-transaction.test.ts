// Work of a shared commit that asks for a transaction of its own once it runs again inside the commit's.
import { expect, test } from "bun:test";
import { z } from "zod";
import { event, kind } from "../../protocol/event.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { serverPlace } from "../place.ts";
import { newId } from "../tokens.ts";
import { OwnTransactionNeeded } from "./own-transaction.ts";

const said = event(kind<{ id: string }>("SAID"), {
  summary: "Something was said",
  data: z.object({ id: z.string() }),
  happensIn: "server",
  risingId: ({ id }) => id,
});

onEachEngine("a transaction inside of another one", (house) => {
  test("a call that needs one when its ids were overtaken gets it after the commit; nobody waits for ever", async () => {
    const running = house().running.house;
    const alice = await house().person("alice");
    const { id: server, general } = await alice.makeServer();
    const early = newId();
    await running.share(async (unit) => unit.emit(said, serverPlace(server), { id: newId() }));

    const seen: string[] = [];
    const answer = running.share(async (unit) => {
      seen.push(unit.isWaitedFor ? "inside" : unit.reading);
      const say = (id: string) => async (at: typeof unit) => {
        at.emit(said, serverPlace(server), { id });
        return at.reading;
      };
      if (seen.length === 1) return say(early)(unit);
      return unit.alone ? say(newId())(unit) : unit.write(say(newId()));
    });
    // Others in the same commit, and whoever writes behind it.
    const beside = alice.say(general.id, "beside it");
    expect(await answer).toBe("transaction");
    await beside;
    await alice.makeServer("Another");
    expect(seen).toEqual(["cached", "inside", "inside"]);
  });

  test("a unit in a transaction refuses to open another", async () => {
    const attempt = house().running.house.write((unit) => unit.write(async () => "never"));
    await expect(attempt).rejects.toBeInstanceOf(OwnTransactionNeeded);
  });
});
