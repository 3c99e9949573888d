// The square of a picture stays inside, whatever is done with it.
import { expect, test } from "bun:test";
import { type Corner, middle, moved, sized, stretched } from "./square.ts";

const sides = { width: 400, height: 200 };

test("it begins as the largest one in the middle", () => {
  expect(middle(sides)).toEqual({ x: 100, y: 0, size: 200 });
  expect(middle({ width: 65, height: 100 })).toEqual({ x: 0, y: 18, size: 65 });
});

test("moved, it stops at the edges", () => {
  const square = { x: 100, y: 50, size: 100 };
  expect(moved(square, 10, -10, sides)).toEqual({ x: 110, y: 40, size: 100 });
  expect(moved(square, 999, 999, sides)).toEqual({ x: 300, y: 100, size: 100 });
  expect(moved(square, -999, -999, sides)).toEqual({ x: 0, y: 0, size: 100 });
});

test("sized, it keeps its middle, but for the edges and the limits", () => {
  const square = { x: 100, y: 50, size: 100 };
  expect(sized(square, 80, sides)).toEqual({ x: 110, y: 60, size: 80 });
  expect(sized(square, 1, sides)).toEqual({ x: 118, y: 68, size: 64 });
  expect(sized(square, 999, sides)).toEqual({ x: 50, y: 0, size: 200 });
  expect(sized({ x: 0, y: 0, size: 100 }, 150, sides)).toEqual({ x: 0, y: 0, size: 150 });
});

test("a dragged corner leaves the opposite one where it is, and stays inside", () => {
  const square = { x: 100, y: 50, size: 100 };
  const corner = (across: -1 | 1, down: -1 | 1): Corner => ({ across, down });
  expect(stretched(square, corner(1, 1), [20, 0], sides)).toEqual({ x: 100, y: 50, size: 120 });
  expect(stretched(square, corner(-1, -1), [-20, -5], sides)).toEqual({ x: 80, y: 30, size: 120 });
  expect(stretched(square, corner(1, -1), [5, -999], sides)).toEqual({ x: 100, y: 0, size: 150 });
  expect(stretched(square, corner(-1, 1), [999, -999], sides)).toEqual({ x: 136, y: 50, size: 64 });
});
