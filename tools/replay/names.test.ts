// Nicks become usernames: valid, unique without regard to case, and always the same.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { seedFor } from "../../tests/house/machine/chance.ts";
import { nameEveryone } from "./names.ts";

test("a nick that is a username keeps it, whoever else would be given it", () => {
  const names = nameEveryone(["jcz`", "jcz_", "Belial`"], []);
  expect(Object.fromEntries(names)).toEqual({ jcz_: "jcz_", "jcz`": "jcz_-2", "Belial`": "Belial_" });
});

test("two nicks that differ only by case are two people", () => {
  expect([...nameEveryone(["imagus", "Imagus"], []).values()]).toEqual(["imagus", "Imagus-2"]);
});

test("reserved names are given to nobody", () => {
  const names = nameEveryone(["Everyone", "here", "owner"], ["owner"]);
  expect([...names.values()]).toEqual(["Everyone-2", "here-2", "owner-2"]);
});

test("any nicks at all get valid and unique usernames, the same each time", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" })), (nicks) => {
      const names = nameEveryone(nicks, []);
      const given = [...names.values()];
      expect([...names.keys()].sort()).toEqual([...nicks].sort());
      expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(nicks.length);
      for (const name of given) expect(name).toMatch(/^[A-Za-z0-9_.-]{2,32}$/);
      expect([...nameEveryone(nicks, [])]).toEqual([...names]);
    }),
    { seed: seedFor("nicks") },
  );
});
