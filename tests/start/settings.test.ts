// Wrong settings, one of each kind (server/config/config.test.ts has them all): each stops the start with a sentence
// that names the setting, before anything is created.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { expectOneSentence } from "./one-sentence.ts";
import { startRefused } from "./refused.ts";

const wrong: [name: string, value: string][] = [
  ["HOST", "999.1.1.1"],
  ["HOST", "no-such-host.invalid"],
  ["PORT", "eighty"],
  ["PUBLIC_URL", "chat.example"],
  ["DATABASE_URL", "mysql://localhost/hearth"],
  ["TRUSTED_PROXIES", "999.1.1.1"],
  ["TRUSTED_ORIGINS", "*"],
  ["REGISTRATION", "maybe"],
  ["INSTANCE_NAME", " "],
  ["LOG_LEVEL", "loud"],
];

describe("a wrong setting", () => {
  for (const [name, value] of wrong) {
    test.concurrent(`${name}=${value} is named in one sentence, and no folder is made`, async () => {
      const folder = temporaryFolder();
      const data = join(folder.path, "data");
      const start = await startRefused({ DATA_DIR: data, [name]: value });
      expectOneSentence(start, name);
      expect(start.stderr).not.toMatch(/\bE[A-Z]{4,}\b|[Ii]nvalid (option|input)/);
      expect(existsSync(data)).toBe(false);
      folder.remove();
    });
  }

  test.concurrent("a host that is none of this machine's is named together with its setting", async () => {
    const folder = temporaryFolder();
    const start = await startRefused({ DATA_DIR: folder.path, HOST: "192.0.2.77" });
    expectOneSentence(start, /192\.0\.2\.77.*HOST.*this machine has no such address/);
    folder.remove();
  });

  test.concurrent("a port that somebody else has is named together with its setting", async () => {
    const folder = temporaryFolder();
    const other = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const start = await startRefused({ DATA_DIR: folder.path, PORT: String(other.port) });
    expectOneSentence(
      start,
      new RegExp(`127\\.0\\.0\\.1:${other.port}.*PORT.*another program listens there`),
    );
    await other.stop(true);
    folder.remove();
  });
});
