// Runs the commands of the README's section on backups.
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../cli/hearth.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { TestPerson } from "../house/people/people.ts";

const project = join(import.meta.dir, "../..");
const [section = ""] =
  /^## Backup\n[\s\S]*?^## /m.exec(readFileSync(join(project, "README.md"), "utf8")) ?? [];
const blocks = [...section.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Moves the paths of the commands into the test's folder. */
function here(block = "", nights = folder.path): string {
  return block
    .replaceAll("/backup/", `${nights}/`)
    .replaceAll("find /backup", `find ${nights}`)
    .replaceAll("./restored", join(folder.path, "restored"))
    .replaceAll("/srv/hearth", project);
}

test("a backup, its check, the one of every night, and the way back", async () => {
  const { PATH = "", HOME = "" } = Bun.env;
  const settings = { PATH, HOME, DATA_DIR: join(folder.path, "data") };
  // A fixed date, in case midnight falls between two commands.
  const date = 'date() { [ "$*" = +%F ] && echo 2026-03-01; }';
  const shell = (commands: string) => run(["bash", "-euc", `${date}\n${commands}`], settings);
  const [save, nightly, back] = blocks;
  const server = await startServer({ settings });
  const host = { url: server.url };
  const alice = await TestPerson.register(host, "alice");

  expect(await shell(here(save))).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/It is whole\.\n$/),
  });
  const nights = join(folder.path, "nights");
  mkdirSync(nights);
  const [, command = ""] = /^0 4 \* \* \* {2}(.*)$/m.exec(nightly ?? "") ?? [];
  expect((await shell(here(command, nights).replaceAll("\\%", "%"))).exitCode).toBe(0);
  expect(readdirSync(nights)).toEqual(["hearth-2026-03-01.tar"]);

  const [restore = "", start = ""] = here(back, nights).split("\n");
  expect((await shell(restore)).exitCode).toBe(0);
  await server.stop();
  const restored = await startServer({ settings: { ...settings, PORT: "0" }, command: start.split(" ") });
  host.url = restored.url;
  expect((await alice.get("/auth/me")).status).toBe(200);
  await restored.stop();
});
