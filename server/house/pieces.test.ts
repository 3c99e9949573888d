// Turns of the event loop: each kind of work has its own queue, and does not wait for the others.
import { expect, test } from "bun:test";
import { pieceTurn, postTurn, signInTurn } from "./pieces.ts";

test("a piece of a read and a post do not wait for those who sign in", async () => {
  let signedIn = 0;
  const all = Array.from({ length: 1000 }, () => signInTurn().then(() => signedIn++));
  await pieceTurn();
  await postTurn();
  expect(signedIn).toBeLessThan(10);
  await Promise.all(all);
});
