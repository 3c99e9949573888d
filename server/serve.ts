// A house as a process: opens it, says where it is, and leaves in order when asked to.
import { openHouse } from "./app.ts";
import { readConfig } from "./config.ts";
import { CannotStart } from "./database/database.ts";

/** Takes settings as `--name value`. A house that cannot start ends the process with one sentence and code 1. */
export async function serve(argv: readonly string[]): Promise<void> {
  try {
    const { url, stop } = await openHouse(readConfig(argv));
    console.log(`Hearth is ready at ${url}`);
    let stopping = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (stopping) process.exit(1);
        stopping = true;
        stop().then(() => process.exit(0));
      });
    }
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
