// The changes of a draft.
import { expect, test } from "bun:test";
import { differing } from "./draft.ts";

const saved = { name: "Alice", hours: [{ day: 1, from: "09:00" }], color: null as string | null };

test("only what differs from what is saved is a change, by value", () => {
  expect(differing(saved, { name: "Alice" })).toEqual({});
  expect(differing(saved, { name: "Bob", color: null })).toEqual({ name: "Bob" });
  expect(differing(saved, { hours: [{ day: 1, from: "09:00" }] })).toEqual({});
  expect(differing(saved, { hours: [] })).toEqual({ hours: [] });
});

test("what has gone has no changes, such as the rights of a deleted role", () => {
  expect(differing<Record<string, string>>({ kept: "allow" }, { kept: "deny", gone: "deny" })).toEqual({
    kept: "deny",
  });
});

test("null is a value: what is cleared is a change", () => {
  expect(differing({ color: "#123456" as string | null }, { color: null })).toEqual({ color: null });
});
