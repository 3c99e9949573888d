// The list of blocks goes into the person's stream with every change: how often it changes is bounded.
import { expect, test } from "bun:test";
import { limits } from "../../protocol/limits.ts";
import { onEachEngine } from "../../tests/house/engines.ts";
import { neighbours } from "../../tests/house/home.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import { takeTurn } from "./pace.ts";

onEachEngine(
  "blocking and unblocking without end",
  (house) => {
    test("is refused after as many changes as a list has room for, for this person alone; what changes nothing is not", async () => {
      const { alice, bob, carol } = await neighbours(house());
      for (let i = 0; i < limits.blocks_max; i++) takeTurn(house().running.house, bob.id);
      const refused = await bob.put(`/blocks/${alice.id}`);
      expect(verdict(refused)).toBe("429 rate_limited");
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await bob.delete(`/blocks/${alice.id}`)).status).toBe(204);
      expect((await bob.get("/blocks")).body).toEqual([] as never);
      expect((await carol.put(`/blocks/${alice.id}`)).status).toBe(204);
    });
  },
  { RATE_LIMITS: "on" },
);
