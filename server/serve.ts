// Runs a house as a process: opens it, prints its address, and closes it in order on a signal.

import { readConfig } from "./config/config.ts";
import type { Feature } from "./house/feature.ts";
import { killAfter } from "./last-resort.ts";
import { openHouse, type RunningHouse } from "./open.ts";
import { told } from "./telemetry/told-error.ts";

/** How long after the signal the process ends, whatever hangs, in milliseconds: supervisors kill after ten seconds. */
const leaveMs = 9000;
const killMs = 9500;

/** Runs a house of these features; `argv` holds settings. A failed start exits with one sentence and code 1. */
export async function serve(features: readonly Feature[], argv: readonly string[]): Promise<void> {
  try {
    const running = await openHouse(readConfig(argv), { features });
    logFailures(running);
    for (const line of [`Hearth is ready at ${running.url}`, ...running.greeting]) console.log(line);
    let leaving = false;
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.on(signal, () => {
        if (leaving) process.exit(1);
        leaving = true;
        leave(running);
      });
    }
  } catch (error) {
    console.error(told(error));
    process.exit(1);
  }
}

/** The runtime itself would print warnings and uncaught errors with all the data that they carry. */
function logFailures({ house: { log } }: RunningHouse): void {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => log.warn({ err: warning }, "the runtime warns"));
  for (const uncaught of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(uncaught, (error) => {
      log.fatal({ err: error }, "an error that nobody caught: the process ends");
      log.flush();
      process.exit(1);
    });
  }
}

/** Ends the process: with 0 if the house closed in order, else with 1. */
async function leave({ house, stop }: RunningHouse): Promise<void> {
  const { log } = house;
  killAfter(killMs);
  setTimeout(() => {
    log.error({ seconds: leaveMs / 1000 }, "something did not come to an end and was cut off");
    log.flush();
    process.exit(1);
  }, leaveMs);
  try {
    await stop();
    process.exit(0);
  } catch (error) {
    log.error({ err: error }, "the server did not close in order");
    log.flush();
    process.exit(1);
  }
}
