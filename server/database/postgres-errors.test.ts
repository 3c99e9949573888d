// Which errors mean that PostgreSQL is away: people are told to try again, not that something is wrong with us.
import { expect, test } from "bun:test";
import { lookup } from "node:dns/promises";
import { connect } from "node:net";
import { movedSentence } from "./moved.ts";
import {
  isCollision,
  isConnectionLoss,
  isHeld,
  isHelpless,
  isRefusal,
  writeTrouble,
} from "./postgres-errors.ts";

test("a name that leads nowhere, a network that is not there, and no descriptors left for a connection", async () => {
  const unknown = await lookup("database.invalid").catch((error: unknown) => error);
  expect(isConnectionLoss(unknown)).toBe(true);
  const nowhere = await new Promise((failed) => connect(1, "127.0.0.1").once("error", failed));
  expect(isConnectionLoss(nowhere)).toBe(true);
  for (const code of ["EAI_AGAIN", "ENETUNREACH", "ENETDOWN", "EMFILE", "EADDRNOTAVAIL"])
    expect(isConnectionLoss(Object.assign(new Error(code), { code }))).toBe(true);
});

/** By code: how an error is classified, and the operator's sentence when writing is impossible. */
const sorted: Record<string, { is: string; says?: string }> = {
  // Connection errors.
  "08006": { is: "lost" },
  "57P01": { is: "lost" },
  "57P03": { is: "lost" },
  "25P03": { is: "lost" },
  "53300": { is: "lost helpless" },
  // Conflicts of two transactions.
  "40001": { is: "collision" },
  "40P01": { is: "collision" },
  "55P03": { is: "held helpless" },
  // Server errors.
  "53100": { is: "helpless", says: "the disk of PostgreSQL is full" },
  "53200": { is: "helpless" },
  "58000": { is: "helpless", says: "the disk of PostgreSQL fails" },
  "58030": { is: "helpless", says: "the disk of PostgreSQL fails" },
  "57014": { is: "helpless" },
  "25006": { is: "helpless", says: "PostgreSQL allows only reads" },
  "42501": { is: "refused helpless", says: "PostgreSQL does not let the role in DATABASE_URL write" },
  "28P01": { is: "refused" },
  "3D000": { is: "refused" },
  // Errors of the program.
  "23505": { is: "" },
  "22P02": { is: "" },
};

test("each error is taken for what it is, and said where it keeps all from writing", () => {
  for (const [code, { is, says }] of Object.entries(sorted)) {
    const error = Object.assign(new Error("refused"), { code });
    const found = Object.entries({
      lost: isConnectionLoss(error),
      collision: isCollision(error),
      held: isHeld(error),
      refused: isRefusal(error),
      helpless: isHelpless(error),
    }).flatMap(([name, isSo]) => (isSo ? [name] : []));
    expect([code, found.join(" "), writeTrouble(error)]).toEqual([code, is, says]);
  }
  const moved = Object.assign(new Error(movedSentence), { code: "25006" });
  expect(writeTrouble(moved)).toBe(movedSentence);
});

test("what PostgreSQL itself refuses, a missing file or a mistake in the program is none", () => {
  for (const code of ["23505", "22P02", "42P01", "40001", "ENOENT", "ERR_INVALID_ARG_TYPE"])
    expect(isConnectionLoss(Object.assign(new Error("refused"), { code }))).toBe(false);
});
