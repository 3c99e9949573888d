// The program that main.ts runs for `npm start`, from the bundle or from the sources.
import { helpText } from "./config/settings.ts";
import { features } from "./features.ts";
import { serve } from "./serve.ts";

/** Starts the server with the command line's arguments; resolves when it is ready. */
export async function start(argv: readonly string[]): Promise<void> {
  if (argv.includes("--help")) {
    console.log(helpText());
    process.exit(0);
  }
  await serve(features, argv);
}
