// A house as a process: opens it, says where it is, and leaves in order when asked to.
import { openHouse, type RunningHouse } from "./app.ts";
import { readConfig } from "./config.ts";
import { CannotStart } from "./database/database.ts";
import { valueWithoutSecrets } from "./secrets.ts";
import { toldError } from "./told-error.ts";

/** Takes settings as `--name value`. A house that cannot start ends the process with one sentence and code 1. */
export async function serve(argv: readonly string[]): Promise<void> {
  try {
    const running = await openHouse(readConfig(argv));
    const { url, stop } = running;
    logFailures(running);
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
    const isSentence = error instanceof CannotStart;
    console.error(isSentence ? error.message : JSON.stringify(valueWithoutSecrets(toldError(error), [])));
    process.exit(1);
  }
}

/** The runtime would print warnings, and what nobody caught before it ends the process, with everything in them. */
function logFailures({ house, noteFailure }: RunningHouse): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => house.log.warn({ err: warning }, "the runtime warns"));
  for (const uncaught of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(uncaught, (error) => {
      noteFailure(error);
      process.exit(1);
    });
  }
}
