// Tests that run on a single process, each with the reason: all others run on three.
import { expect, test } from "bun:test";
import { codeOf, sourceFiles } from "./tree.ts";

const ownFolder = "it looks into the folder of one process";
const statements = "it counts what one process does";
const memory = "each process remembers that for itself";
const waiting = "it is about what one process asks, and who waits beside it";
const oneRequest = "it is about what the process that is asked reads of one request, and keeps of it";
const start = "it is about one process that starts, or about what that one tells of itself";

const reasons: Readonly<Record<string, string>> = {
  "features/accounts/idle-choices.test.ts": "it is about the update of one database",
  "features/administration/commands.test.ts": "the operator speaks to the process whose data folder it is",
  "features/administration/health.test.ts": start,
  "features/files/downloading.test.ts": ownFolder,
  "features/files/sweeping.test.ts": ownFolder,
  "features/gifs/gifs.test.ts": memory,
  "features/gifs/misbehaving.long.test.ts": memory,
  "features/messages/forgetting.test.ts": statements,
  "features/messages/paging.test.ts": statements,
  "features/presence/idle.test.ts": statements,
  "features/push/away.test.ts": "it makes one process believe that time has passed",
  "features/push/crowded.long.test.ts": statements,
  "features/push/misbehaving.long.test.ts": memory,
  "features/read-states/mentioning.test.ts": statements,
  "features/read-states/not-stored.test.ts": memory,
  "features/voice/guesses.test.ts": waiting,
  "features/voice/misbehaving.long.test.ts": waiting,
  "features/roles/renaming.test.ts": statements,
  "features/sessions/expiry.test.ts": memory,
  "features/storage/storage.test.ts": ownFolder,
  "server/house/clock.test.ts": start,
  "server/house/commit-queue.test.ts": statements,
  "server/blobs/misbehaving.long.test.ts": waiting,
  "server/database/crowded.test.ts": waiting,
  "server/database/migrate.test.ts": start,
  "server/house/event-log.test.ts": statements,
  "server/house/forgetting.test.ts": statements,
  "server/house/shared-commit.test.ts": statements,
  "server/mail-misbehaving.test.ts": waiting,
  "tests/gateway/fan-out.test.ts": statements,
  "tests/gateway/long-frames.test.ts": statements,
  "tests/gateway/many-servers.long.test.ts": statements,
  "tests/gateway/origin.test.ts": "origins are compared with the address of the process that is asked",
  "tests/house/scenes/pictures.ts": ownFolder,
  "tests/protection/bodies.test.ts": oneRequest,
  "tests/protection/errors.test.ts": oneRequest,
  "tests/protection/fields.test.ts": oneRequest,
  "tests/protection/fuzz.long.test.ts": oneRequest,
  "tests/protection/queries.test.ts": oneRequest,
  "tests/protection/strangers.test.ts": "each process knows the callers that it has met",
  "tests/protection/unread-answers.long.test.ts": oneRequest,
  "tests/start/clock.long.test.ts": start,
  "tests/start/database.long.test.ts": start,
  "tests/start/pages.test.ts": start,
};

test("what is tried on one process alone is listed with its reason, and everything listed is", () => {
  const found = sourceFiles("server", "features", "tests")
    .filter((file) => file.path !== "tests/house/open/engines.ts" && /\bonOneProcess\(/.test(codeOf(file)))
    .map(({ path }) => path);
  expect(found.sort()).toEqual(Object.keys(reasons).sort());
});
