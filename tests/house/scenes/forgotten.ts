// Does at once what a house does within a day of a deletion: removes the messages' words and the files.
import { files } from "../../../features/files/handlers.ts";
import { messages } from "../../../features/messages/handlers.ts";
import { forget } from "../../../server/database/instance.ts";
import type { TestHouse } from "../open/engines.ts";
import { sweep } from "./swept.ts";

const hourMs = 3600_000;

/** Moves time on by a day, and does all that is due then. */
export async function aDayLater(house: TestHouse): Promise<void> {
  await hoursLater(house, 24);
}

/** The same for any number of hours: the stored times move back, as an S3 store has a clock of its own. */
export async function hoursLater(house: TestHouse, hours: number): Promise<void> {
  await house.running.house.database.transaction((db) =>
    db
      .updateTable("file_releases")
      .set((eb) => ({ due_at: eb("due_at", "-", hours * hourMs) }))
      .execute(),
  );
  await walkAnew(house);
  await forgetNow(house);
}

/** Does all that is due now. */
export async function forgetNow(house: TestHouse): Promise<void> {
  await sweep(house);
  const jobs = [messages, files].flatMap((feature) => feature.jobs ?? []);
  for (const job of jobs) while (await job.run(house.running.house));
  await house.heard();
}

/** Lets the next run begin a walk through the log, whenever the last one was. */
export async function walkAnew(house: TestHouse): Promise<void> {
  await house.running.house.database.transaction((db) => forget(db, "log_walk"));
}
