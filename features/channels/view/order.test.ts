// Moving channels: to the place that people see, with as few changes as possible.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { limits } from "../../../protocol/limits.ts";
import { ownChannels } from "../../../tests/client/scene.ts";
import type { Channel } from "../contract.ts";
import { firstChannel } from "./first-channel.ts";
import { inOrder } from "./order.ts";
import { type Placed, placed } from "./placing.ts";
import { stepped, steppedCategory } from "./steps.ts";

function channel(id: string, category: string | null, position: number): Channel {
  return {
    id,
    server_id: "s",
    name: id,
    type: "text",
    category,
    position,
    last_message_id: null,
    created_at: "2026-01-01T00:00:00.000Z",
  };
}

function after(channels: readonly Channel[], changes: readonly Placed[]): readonly Channel[] {
  return channels.map((each) => ({ ...each, ...changes.find(({ id }) => id === each.id) }));
}

const names = (channels: readonly Channel[]) => inOrder(ownChannels(channels)).map(({ id }) => id);

test("where there is room only the moved channel changes", () => {
  const all = [channel("a", "One", 10), channel("b", "One", 20), channel("c", "Two", 30)];
  const own = ownChannels(all);
  const changes = placed(own, "c", { category: "One", before: "b" });
  expect(changes).toEqual([{ id: "c", position: 15, category: "One" }]);
  expect(names(after(all, changes))).toEqual(["a", "c", "b"]);
});

test("a step goes to the neighbouring category at its edge, and ends at the first and the last", () => {
  const all = [channel("a", "One", 10), channel("b", "One", 20), channel("c", "Two", 30)];
  const own = ownChannels(all);
  expect(stepped(own, "b", 1)).toEqual({ category: "Two", before: "c" });
  expect(stepped(own, "b", -1)).toEqual({ category: "One", before: "a" });
  expect(stepped(own, "c", -1)).toEqual({ category: "One", before: undefined });
  expect(stepped(own, "c", 1)).toBeUndefined();
});

test("channels without a category come first, and a server opens at its first text channel", () => {
  const voice = { ...channel("voice", null, 0), type: "voice" as const };
  const all = [
    channel("a", "One", 1),
    channel("b", "Two", 2),
    channel("c", "One", 3),
    voice,
    channel("d", null, 9),
  ];
  const own = ownChannels(all);
  expect(names(all)).toEqual(["voice", "d", "a", "c", "b"]);
  expect([firstChannel(own)?.id, firstChannel(ownChannels([voice]))]).toEqual(["d", undefined]);
});

test("where there is no room all are numbered anew, and the moved one is told its category though its position stays", () => {
  const all = [channel("a", null, 0), channel("b", "One", 10)];
  const own = ownChannels(all);
  const changes = placed(own, "b", { category: null, before: "a" });
  expect(changes).toEqual([
    { id: "b", position: 10, category: null },
    { id: "a", position: 20, category: null },
  ]);
  expect(names(after(all, changes))).toEqual(["b", "a"]);
});

test("whatever the positions were, a channel stands before the one that was meant, in its category", () => {
  // Close positions leave no room; multiples of ten are the positions of channels renumbered before.
  const position = fc.oneof(
    fc.nat(6),
    fc.nat(8).map((place) => place * 10),
  );
  const one = fc.record({ category: fc.constantFrom(null, "One", "Two"), position });
  fc.assert(
    fc.property(fc.array(one, { minLength: 2, maxLength: 8 }), fc.nat(), fc.nat(), (some, from, to) => {
      const all = some.map(({ category, position }, i) => channel(`c${i}`, category, position));
      const moved = all[from % all.length]?.id ?? "";
      const before = all[to % all.length];
      if (!before || before.id === moved) return;
      const result = after(
        all,
        placed(ownChannels(all), moved, { category: before.category, before: before.id }),
      );
      const order = names(result);
      expect(order.indexOf(moved)).toBe(order.indexOf(before.id) - 1);
      expect(result.find(({ id }) => id === moved)?.category).toBe(before.category);
    }),
  );
});

test("behind the last position that there is none is free: all are numbered anew", () => {
  const all = [channel("a", null, 5), channel("b", null, limits.position_max)];
  const own = ownChannels(all);
  expect(placed(own, "a", { category: null, before: undefined })).toEqual([
    { id: "b", position: 10, category: null },
    { id: "a", position: 20, category: null },
  ]);
});

test("a category moves with its channels, among the categories alone", () => {
  const all = [
    channel("free", null, 40),
    channel("a", "One", 10),
    channel("b", "One", 30),
    channel("c", "Two", 50),
  ];
  const own = ownChannels(all);
  expect(names(after(all, steppedCategory(own, "Two", -1)))).toEqual(["free", "c", "a", "b"]);
  expect([steppedCategory(own, "Two", 1), steppedCategory(own, "One", -1)]).toEqual([[], []]);
});
