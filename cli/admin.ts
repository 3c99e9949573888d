// `hearth admin …`: runs a command in the running server, or without one in a house opened for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { AlreadyRunning, CannotStart } from "../server/cannot-start.ts";
import type { Config } from "../server/config/config.ts";
import { features } from "../server/features.ts";
import { inClosedHouse } from "../server/open.ts";
import { runCommand } from "../server/operator/listen.ts";
import { askRunning, type CommandAnswer } from "../server/operator/socket.ts";
import { Misunderstood } from "./words.ts";

export const adminCommands = features.flatMap((feature) => feature.commands ?? []);

/**
 * How long a call is retried, in milliseconds: a server that is starting or stopping holds the data but does not
 * answer.
 */
const patienceMs = 5000;
const pauseMs = 200;

export async function admin(words: readonly string[], config: () => Config): Promise<number> {
  checkWords(words);
  const { ok, lines } = await answerTo(config(), words);
  for (const line of lines) (ok ? console.log : console.error)(line);
  return ok ? 0 : 1;
}

function checkWords([name, ...rest]: readonly string[]): void {
  const names = adminCommands.map((command) => command.name).join(", ");
  if (name === undefined) throw new Misunderstood(`hearth admin needs one of these words: ${names}.`);
  const command = adminCommands.find((each) => each.name === name);
  if (!command) throw new Misunderstood(`There is no hearth admin ${name}. There are: ${names}.`);
  const needed = command.takes.filter((word) => !word.startsWith("["));
  if (rest.length < needed.length || rest.length > command.takes.length || rest.includes("")) {
    const takes = command.takes.length === 0 ? "no further words" : command.takes.join(" ");
    throw new Misunderstood(`hearth admin ${name} takes ${takes}.`);
  }
}

async function answerTo(config: Config, words: readonly string[]): Promise<CommandAnswer> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const answer = await askRunning(config.dataDir, words);
    if (answer) return answer;
    mustExist(config);
    try {
      return await inClosedHouse({ ...config, logLevel: "error" }, { features }, (house) =>
        runCommand(house, words),
      );
    } catch (error) {
      if (!(error instanceof AlreadyRunning)) throw error;
      if (Date.now() > end) {
        throw new CannotStart(
          `A Hearth holds this data but does not answer in ${config.dataDir}. Give the same settings as to the server (DATA_DIR), or stop it first.`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** Requires an existing Hearth: a mistyped folder must not become a new and empty house. */
export function mustExist({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(join(dataDir, "hearth.db"))) return;
  throw new CannotStart(
    `There is no Hearth in ${dataDir} (DATA_DIR). Name its folder with --data-dir, or start it there once.`,
  );
}
