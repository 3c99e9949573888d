// `hearth settings`: the settings in force, and where each comes from.
import { aligned } from "../server/config/aligned.ts";
import { readConfig, settingsInForce } from "../server/config/config.ts";

export function showSettings(argv: readonly string[]): number {
  const rows = settingsInForce(argv).map(({ name, value, from }) => [name, value, from]);
  for (const line of aligned([["name", "value", "from"], ...rows])) console.log(line);
  // Called after the table is printed, so that the wrong value can be seen in it.
  readConfig(argv);
  return 0;
}
