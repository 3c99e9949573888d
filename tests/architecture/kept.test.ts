// State of a single process: with several processes it is incomplete, and it ends with the process.
import { expect, test } from "bun:test";
import { codeOf, isTest, sourceFiles } from "./tree.ts";

const declared = sourceFiles("features", "server")
  .filter((file) => !isTest(file))
  .flatMap((file) =>
    [...codeOf(file).matchAll(/const (\w+) = perHouse\b[^"]*"(\w+)"/g)].map(([, name, as]) => ({
      name: `${file.path} ${name}`,
      as,
    })),
  );

test("nothing is known by one process alone: it is in the database, and a process has it as a cache or a queue", () => {
  expect(declared.filter(({ as }) => as !== "cache" && as !== "queue")).toEqual([]);
});

test("caches and queues are found, too", () => {
  expect(declared).toContainEqual({ name: "server/mail.ts mailer", as: "cache" });
  expect(declared).toContainEqual({ name: "features/files/slots.ts slotsOf", as: "queue" });
  expect(declared.length).toBeGreaterThan(30);
});
