// The server of a replay: a running one, or its own in a new folder.

import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { startServer } from "../../tests/house/machine/process.ts";
import type { Arguments } from "./arguments.ts";

interface ReplayServer {
  url: string;
  end(): Promise<void>;
}

export async function replayServer({ url, databaseUrl }: Arguments): Promise<ReplayServer> {
  if (url !== undefined) return { url, end: async () => {} };
  const folder = temporaryFolder();
  const settings: Record<string, string> = { DATA_DIR: folder.path };
  if (databaseUrl !== undefined) settings.DATABASE_URL = databaseUrl;
  try {
    const server = await startServer({ settings });
    return {
      url: server.url,
      end: async () => {
        await server.stop();
        process.stderr.write(server.stderr());
        folder.remove();
      },
    };
  } catch (error) {
    folder.remove();
    throw error;
  }
}
