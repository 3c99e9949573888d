// The positions of a new order: strictly descending, below the rank of the person who orders, and with few changes.
import { describe, expect, test } from "bun:test";
import { ownersRank, positionsFor } from "./order.ts";

function ranked(...positions: number[]) {
  return positions.map((position, i) => ({ id: `role ${i}`, position }));
}

function after(wanted: ReturnType<typeof ranked>, rank: number): number[] | undefined {
  const changes = positionsFor(wanted, rank);
  return (
    changes && wanted.map(({ id, position }) => changes.find((each) => each.id === id)?.position ?? position)
  );
}

describe("an order of roles", () => {
  test("that is as it was changes nothing", () => {
    expect(positionsFor(ranked(20, 10, 5), ownersRank)).toEqual([]);
  });

  test("changes only the role that was moved, where there is room", () => {
    expect(positionsFor(ranked(20, 5, 10), ownersRank)).toHaveLength(1);
    expect(positionsFor(ranked(5, 20, 10), ownersRank)).toEqual([{ id: "role 0", position: 21 }]);
  });

  test("separates roles that stood at the same place", () => {
    expect(after(ranked(1, 1, 1), ownersRank)).toEqual([3, 2, 1]);
  });

  test("is refused where there is no room below one's own role", () => {
    expect(positionsFor(ranked(1, 1, 1), 3)).toBeUndefined();
    expect(after(ranked(1, 2, 1), 4)).toEqual([3, 2, 1]);
  });

  test("falls strictly, whatever the positions were", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let round = 0; round < 2000; round++) {
      const count = 1 + random(12);
      const rank = 1 + count + random(20);
      const positions = after(ranked(...Array.from({ length: count }, () => random(rank + 3))), rank);
      if (!positions) throw new Error("there was room");
      expect(Math.max(...positions)).toBeLessThan(rank);
      expect(Math.min(...positions)).toBeGreaterThan(0);
      for (let i = 1; i < count; i++) expect(positions[i - 1]).toBeGreaterThan(positions[i] ?? 0);
    }
  });
});
