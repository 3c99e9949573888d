// The operator's socket, a file in the data folder: through it the command line reaches the running server.
import { chmodSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { Refusal } from "../../protocol/errors.ts";
import { unreadHop } from "../caller/unread-hop.ts";
import { CannotStart } from "../cannot-start.ts";
import { version } from "../config/version.ts";
import type { House } from "../house/house.ts";
import {
  askRunning,
  type CommandAnswer,
  hearLine,
  parsed,
  patienceMs,
  socketPath,
  whoIsThere,
} from "./socket.ts";

const longestRequest = 4096;
const mostCallers = 8;

/** Opens the socket. Any user who can write to the data folder may use it: they could read the database as well. */
export async function openOperatorSocket(house: House): Promise<{ close(): void }> {
  const { dataDir } = house.config;
  // A socket file here is left over from a server that was killed, unless one answers on it.
  if (await askRunning(dataDir, whoIsThere)) {
    throw new CannotStart(
      `Another Hearth is running with the data folder ${dataDir} (DATA_DIR). Give each a folder of its own.`,
    );
  }
  const path = socketPath(dataDir);
  const callers = new Set<Socket>();
  const server = createServer((socket) => {
    if (callers.size >= mostCallers) return socket.destroy();
    callers.add(socket);
    socket.on("close", () => callers.delete(socket));
    serve(house, socket);
  });
  try {
    if (path === undefined) throw new Error("its path is too long");
    rmSync(path, { force: true });
    await new Promise<void>((done, failed) => {
      server.on("error", failed);
      server.listen(path, done);
    });
    chmodSync(path, 0o600);
  } catch (error) {
    // Some mounted folders cannot hold sockets. The server works without one.
    const reason = (error as Error).message;
    house.log.warn({ reason }, "no socket in DATA_DIR: stop Hearth before using hearth admin");
    server.close();
    return { close() {} };
  }
  return {
    close() {
      server.close();
      for (const caller of callers) caller.destroy();
      rmSync(path, { force: true });
    },
  };
}

/** Reads one line with the words of a command, writes one line with its result. */
function serve(house: House, socket: Socket): void {
  const heard = hearLine(socket, longestRequest, async (line) => {
    socket.end(`${JSON.stringify(await answerTo(house, line))}\n`);
  });
  socket.on("data", heard);
  socket.on("error", () => socket.destroy());
  socket.setTimeout(patienceMs, () => socket.destroy());
}

async function answerTo(house: House, line: string): Promise<CommandAnswer> {
  const words: unknown = parsed(line);
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string"))
    return { ok: false, lines: ["This is no command."] };
  if (words[0] === whoIsThere[0]) {
    const { listeningUrl, database, epoch } = house;
    const facts = [
      version,
      listeningUrl,
      database.engine,
      String(process.pid),
      epoch,
      JSON.stringify(unreadHop(house) ?? null),
    ];
    return { ok: true, lines: facts };
  }
  return runCommand(house, words);
}

/** Runs a command of a feature. Never throws: a failure is a result, too. */
export async function runCommand(
  house: House,
  [name = "", ...words]: readonly string[],
): Promise<CommandAnswer> {
  const command = house.features
    .flatMap((feature) => feature.commands ?? [])
    .find((each) => each.name === name);
  if (!command) return { ok: false, lines: [`There is no command ${name}.`] };
  try {
    const lines = await command.run(house, words);
    // Without the command's arguments, which can include a person's e-mail address.
    house.log.info({ command: name }, "the operator ran a command");
    return { ok: true, lines };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, lines: [error.message] };
    if (house.database.isAway(error)) return { ok: false, lines: ["The database does not answer."] };
    house.log.error({ err: error, command: name }, "a command of the operator failed");
    return { ok: false, lines: ["Something went wrong; the log has the reason."] };
  }
}
