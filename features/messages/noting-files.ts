// Records the files of messages written by the previous release, which did not delete files with their last message.
import type { Job } from "../../server/house/feature.ts";
import { noteEarlierUses } from "../files/access.ts";
import { usesOf } from "./attached.ts";
import { areFilesNoted, markFilesNoted } from "./store.ts";

const messagesAtOnce = 200;

export const noteFiles: Job = {
  name: "note the files of earlier messages",
  everyMs: 10_000,
  async run(house) {
    if (await areFilesNoted(house.database.read)) return false;
    return house.write(async (unit) => {
      const messages = await markFilesNoted(unit.db, messagesAtOnce);
      await noteEarlierUses(unit, usesOf(messages));
      return messages.length === messagesAtOnce;
    });
  },
};
