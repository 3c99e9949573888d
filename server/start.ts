// The program behind `npm start`: what main.ts runs, from the bundle or from the sources.
import { helpText } from "./config/settings.ts";
import { features } from "./features.ts";
import { serve } from "./serve.ts";

/** Starts the server with the words of the command line; resolves when it is ready. */
export async function start(argv: readonly string[]): Promise<void> {
  if (argv.includes("--help")) {
    console.log(helpText());
    process.exit(0);
  }
  await serve(features, argv);
}
