// A new password deletes all selected passkeys, even if one is already gone or cannot be deleted.
import { expect, test } from "bun:test";
import { CallError } from "../../../../client/call.ts";
import { endEach } from "./end-each.ts";

/** Returns the passkeys that were requested to end, those that did, and the error thrown. */
async function ending(refusals: Readonly<Record<string, CallError>>) {
  const asked: string[] = [];
  const ended: string[] = [];
  const end = async (id: string) => {
    asked.push(id);
    if (refusals[id]) throw refusals[id];
  };
  const thrown = await endEach(["one", "two", "three"], end, (id) => ended.push(id)).catch((error) => error);
  return { asked, ended, thrown };
}

test("one that another device has removed meanwhile counts as ended, and those behind it end", async () => {
  const gone = new CallError(404, { code: "not_found" });
  const all = ["one", "two", "three"];
  expect(await ending({ one: gone })).toEqual({ asked: all, ended: all, thrown: undefined });
});

test("one that cannot be ended holds up none behind it, and the reader learns of it", async () => {
  const unreachable = new CallError(0, {});
  const { asked, ended, thrown } = await ending({ one: unreachable, three: new CallError(500, {}) });
  expect([asked, ended]).toEqual([["one", "two", "three"], ["two"]]);
  expect(thrown).toBe(unreachable);
});
