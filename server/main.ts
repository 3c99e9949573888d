// Starts Hearth: what `npm start` runs.

import { helpText } from "./config/settings.ts";
import { features } from "./features.ts";
import { serve } from "./serve.ts";

if (process.argv.includes("--help")) {
  console.log(helpText());
  process.exit(0);
}
await serve(features, process.argv.slice(2));
