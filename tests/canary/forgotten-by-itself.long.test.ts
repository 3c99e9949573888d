// A server forgets deleted messages by itself the day after: needs libfaketime, which sets its clock.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { canSetClock, clockToSet } from "../house/machine/clock.ts";
import { temporaryFolder } from "../house/machine/folder.ts";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { TestPerson } from "../house/people/people.ts";
import { fetchFile } from "../house/scenes/files.ts";
import { checkpointed, live, lostServer } from "./living.ts";

const title = "a server whose clock is set a day ahead forgets by itself, files of its data folder among it";

test.skipIf(!canSetClock)(canSetClock ? title : `${title} (skipped: no libfaketime here)`, async () => {
  const folder = temporaryFolder();
  const clock = clockToSet(folder.path);
  const dataDir = join(folder.path, "data");
  const server = await startServer({ settings: { ...clock.settings, DATA_DIR: dataDir } });
  try {
    const [alice, bob] = [
      await TestPerson.register(server, "alice"),
      await TestPerson.register(server, "bob"),
    ];
    const home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
    // The log is walked a second after the start, and again hours later.
    await until(() => checkpointed(dataDir).includes('"is_over":true'), "the log is not walked through");
    const said = await live(alice, bob, home);
    await lostServer(alice, said);
    expect(said.gone.in(checkpointed(dataDir)).length).toBeGreaterThan(20);
    expect((await fetchFile(alice, said.goneFiles[0] ?? "")).status).toBe(200);
    clock.set(1.01);
    for (const url of said.goneFiles)
      await until(async () => (await fetchFile(alice, url)).status === 404, "the file stays");
    await until(() => said.gone.in(checkpointed(dataDir)).length === 0, "something is left");
    expect(said.kept.in(checkpointed(dataDir)).length).toBe(said.kept.words.size);
  } finally {
    await server.stop();
    folder.remove();
  }
});
