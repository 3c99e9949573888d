// Moves a scene into PostgreSQL with `hearth migrate`, because scenes can be filled on SQLite only.
import { join } from "node:path";
import { start } from "../processes.ts";
import { root } from "../servers.ts";

export async function moveToPostgres(dataDir: string, url: string): Promise<void> {
  const command = [process.execPath, join(root, "cli/main.ts"), "migrate", "--to", url];
  const moving = start(command, { core: "any", env: { DATA_DIR: dataDir } });
  await moving.exited;
  if (moving.exitCode !== 0) throw new Error("the scene could not be moved to PostgreSQL");
}
