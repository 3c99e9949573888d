// Starts Hearth: what `npm start` runs.

import { serve } from "./serve.ts";
import { helpText } from "./settings.ts";

if (process.argv.includes("--help")) {
  console.log(helpText());
  process.exit(0);
}
await serve(process.argv.slice(2));
