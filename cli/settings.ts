// `hearth settings`: the settings in force, and where each comes from.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chosenSettings } from "../features/instance/access.ts";
import { CannotStart } from "../server/cannot-start.ts";
import { aligned } from "../server/config/aligned.ts";
import {
  type Config,
  type InstanceSettings,
  instanceSettings,
  readConfig,
  settingsInForce,
} from "../server/config/config.ts";
import { openDatabase } from "../server/database/open.ts";
import { askRunning } from "../server/operator/socket.ts";
import { withoutSecrets } from "../server/secrets.ts";

export async function showSettings(argv: readonly string[]): Promise<number> {
  const given = settingsInForce(argv);
  const config = readable(argv);
  const chosen = config ? await chosenMeanwhile(config) : new Map<string, string>();
  const rows = given.map(({ name, value, from }) => {
    const instead = from === "default" ? chosen.get(name) : undefined;
    return instead === undefined ? [name, value, from] : [name, instead, "database"];
  });
  for (const line of aligned([["name", "value", "from"], ...rows])) console.log(line);
  // Called after the table is printed, so that the invalid value can be seen in it.
  readConfig(argv);
  return 0;
}

/** Undefined when one of the settings is invalid. */
function readable(argv: readonly string[]): Config | undefined {
  try {
    return readConfig(argv);
  } catch (error) {
    if (error instanceof CannotStart) return undefined;
    throw error;
  }
}

/** Returns the settings that the instance's admins chose while a server ran, by name. */
async function chosenMeanwhile(config: Config): Promise<Map<string, string>> {
  // Nothing can be chosen before the first start, which creates the folder.
  if (!existsSync(config.dataDir)) return new Map();
  try {
    return (await askedOfServer(config)) ?? (await readFromDatabase(config));
  } catch (error) {
    const { message } = error as Error;
    console.error(`What was changed while a server ran could not be read: ${withoutSecrets(message)}`);
    return new Map();
  }
}

/** Undefined when no server runs. */
async function askedOfServer({ dataDir }: Config): Promise<Map<string, string> | undefined> {
  const answer = await askRunning(dataDir, ["settings"]);
  return answer && new Map(answer.lines.map(pairIn));
}

function pairIn(line: string): [name: string, value: string] {
  const end = line.indexOf(" ");
  return [line.slice(0, end), line.slice(end + 1)];
}

/** Reads without migrating the tables: only a start does that. */
async function readFromDatabase(config: Config): Promise<Map<string, string>> {
  if (!config.databaseUrl && !existsSync(join(config.dataDir, "hearth.db"))) return new Map();
  const database = await openDatabase(config);
  try {
    const chosen = Object.entries(await chosenSettings(config, database.read));
    return new Map(chosen.map(([name, value]) => [instanceSettings[name as keyof InstanceSettings], value]));
  } finally {
    await database.close();
  }
}
