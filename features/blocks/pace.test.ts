// The rate limit on changes of the list of blocks, which goes into the person's stream with every change.
import { beforeAll, expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { neighbours } from "../../tests/house/scenes/home.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { takeTurn } from "./pace.ts";

onEachEngine(
  "blocking and unblocking without end",
  (house) => {
    let people: Awaited<ReturnType<typeof neighbours>>;
    beforeAll(async () => {
      people = await neighbours(house());
    });

    test("is refused after as many changes as a list has room for, for this person alone; what changes nothing is not", async () => {
      const { alice, bob, carol } = people;
      const path = `/blocks/${alice.id}`;
      const begun = performance.now();
      let spent = 0;
      const spendAll = async () => {
        for (; ; spent++) await takeTurn(house().running.house, bob.id);
      };
      let isBlocked = false;
      const change = async () => {
        await spendAll().catch(() => {});
        return isBlocked ? bob.delete(path) : bob.put(path);
      };
      let answer = await change();
      // One token per second comes back meanwhile.
      for (; answer.status === 204; answer = await change()) {
        isBlocked = !isBlocked;
        spent++;
      }
      expect(verdict(answer)).toBe("429 rate_limited");
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      const cameBack = (performance.now() - begun) / 1000;
      expect(spent).toBeWithin(limits.blocks_max, limits.blocks_max + cameBack + 1);
      expect((await (isBlocked ? bob.put(path) : bob.delete(path))).status).toBe(204);
      const listed = (await bob.get<{ id: string }[]>("/blocks")).body.map(({ id }) => id);
      expect(listed).toEqual(isBlocked ? [alice.id] : []);
      expect((await carol.put(path)).status).toBe(204);
    });

    test("counts what is taken back, too", async () => {
      const { alice, carol } = people;
      const path = `/blocks/${alice.id}`;
      const spendAll = async () => {
        for (;;) await takeTurn(house().running.house, carol.id);
      };
      let answer = await carol.put(path);
      // One token per second comes back meanwhile.
      while (answer.status === 204) {
        await carol.put(path);
        await spendAll().catch(() => {});
        answer = await carol.delete(path);
      }
      expect(verdict(answer)).toBe("429 rate_limited");
      expect((await carol.get<{ id: string }[]>("/blocks")).body.map(({ id }) => id)).toEqual([alice.id]);
    });
  },
  { RATE_LIMITS: "on" },
);
