// Work on several things goes on after a failure, which is told in the end.
import { expect, test } from "bun:test";
import { eachOf } from "./each-of.ts";

test("each is tried in its order, and the first error is thrown", async () => {
  const tried: number[] = [];
  const work = async (item: number) => {
    tried.push(item);
    if (item % 2 === 0) throw new Error(`not ${item}`);
  };
  await expect(eachOf([1, 2, 3, 4, 5], work)).rejects.toThrow("not 2");
  expect(tried).toEqual([1, 2, 3, 4, 5]);
  await eachOf([1, 3], work);
});
