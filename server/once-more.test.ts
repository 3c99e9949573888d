// Requesting running work again: it runs once more, however often, and the latest request counts.
import { expect, test } from "bun:test";
import { OnceMore } from "./once-more.ts";

test("what Alice asks for three times in a row is done once, as she said it last; all three wait for that", async () => {
  const said: string[] = [];
  const checks = new OnceMore();
  const asked = ["idle", "dnd", "online"].map((word) =>
    checks.run("alice", async () => {
      said.push(word);
    }),
  );
  expect(said).toEqual([]);
  await asked[0];
  expect(said).toEqual(["online"]);
  await Promise.all(asked);
});

test("what is asked for while it runs is done once more afterwards, though the first time failed; Bob waits for nobody", async () => {
  const done: string[] = [];
  const [started, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const checks = new OnceMore();
  const note = (word: string) => async () => {
    done.push(word);
  };
  const begun = checks.run("alice", () => {
    started.resolve();
    return first.promise;
  });
  await started.promise;
  const again = [checks.run("alice", note("second")), checks.run("alice", note("third"))];
  await checks.run("bob", note("bob"));
  expect(done).toEqual(["bob"]);
  first.reject(new Error("the first time"));
  await expect(begun).rejects.toThrow("the first time");
  await Promise.all(again);
  expect(done).toEqual(["bob", "third"]);
});
