// `hearth ready`: whether the running server takes what people ask of it, for supervisors and their health checks.
import { checkDatabaseInUse } from "../features/administration/check-data.ts";
import type { Config } from "../server/config/config.ts";
import { checkRunning } from "./check-data.ts";

/** Exit code 1 when no server runs, or the one that runs is not ready. */
export async function ready(config: Config): Promise<number> {
  const [found, running] = await checkRunning(config);
  const { state, says } = (await checkDatabaseInUse(config, running)) ?? found;
  if (state === "ok") {
    console.log(says);
    return 0;
  }
  console.error(says);
  return 1;
}
