// What one process alone knows: beside others it is only a part, and it goes with the process.
import { expect, test } from "bun:test";
import { strayed } from "./ratchet.ts";
import { codeOf, isTest, sourceFiles } from "./tree.ts";

/** Each waits to be shared by the processes that are one Hearth. The list only shrinks. */
const truths = ["features/push/subscribers.ts subscribers", "features/push/wanting.ts wanting"];

const declared = sourceFiles("features", "server")
  .filter((file) => !isTest(file))
  .flatMap((file) =>
    [...codeOf(file).matchAll(/const (\w+) = perHouse\b[^"]*"(\w+)"/g)].map(([, name, as]) => ({
      name: `${file.path} ${name}`,
      as,
    })),
  );

test("nothing more is known by one process alone", () => {
  const found = declared.filter(({ as }) => as === "truth").map(({ name }) => name);
  const instead = "keep it in the database, or in what processes share, and remember it as a cache";
  expect(strayed(found, truths, instead)).toEqual([]);
});

test("caches and queues are found, too", () => {
  expect(declared).toContainEqual({ name: "server/mail.ts mailer", as: "cache" });
  expect(declared).toContainEqual({ name: "features/files/slots.ts slotsOf", as: "queue" });
  expect(declared.length).toBeGreaterThan(30);
});
