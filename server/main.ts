// Starts Hearth: reads the settings, opens the house, says where it is, and leaves in order when asked to.
import { openHouse } from "./app.ts";
import { helpText, readConfig } from "./config.ts";
import { CannotStart } from "./database/database.ts";

if (process.argv.includes("--help")) {
  console.log(helpText());
  process.exit(0);
}
try {
  const { url, stop } = await openHouse(readConfig(process.argv.slice(2)));
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
