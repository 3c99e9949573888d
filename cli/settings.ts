// `hearth settings`: what is in force, and where it comes from.
import { aligned } from "../server/config/aligned.ts";
import { readConfig, settingsInForce } from "../server/config/config.ts";

export function showSettings(argv: readonly string[]): number {
  const rows = settingsInForce(argv).map(({ name, value, from }) => [name, value, from]);
  for (const line of aligned([["name", "value", "from"], ...rows])) console.log(line);
  // After the table, so that the wrong value can be seen in it.
  readConfig(argv);
  return 0;
}
