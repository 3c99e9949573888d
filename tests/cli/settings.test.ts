// `hearth settings` shows changes made while a server ran, and their source, whether one is running or not.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ServerProcess, startServer } from "../house/machine/process.ts";
import { type Engine, makeHouse, type TestHouse } from "../house/open/engines.ts";
import { TestPerson } from "../house/people/people.ts";
import { hearth } from "./hearth.ts";

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];

for (const engine of engines) {
  describe(`settings that were changed on ${engine}`, () => {
    let house: TestHouse;
    let server: ServerProcess;
    let olga: TestPerson;
    beforeAll(async () => {
      house = await makeHouse(engine, {});
      server = await startServer({ settings: house.settings });
      olga = await TestPerson.register(server, "olga");
    });
    afterAll(async () => {
      await server?.stop();
      await house?.end();
    });

    const shown = async (more: Record<string, string> = {}) => {
      const ended = await hearth("settings", { ...house.settings, ...more });
      expect(ended).toMatchObject({ exitCode: 0, stderr: "" });
      return ended.stdout;
    };

    test("nothing was: both are the defaults", async () => {
      const said = await shown();
      expect(said).toMatch(/^REGISTRATION +open +default$/m);
      expect(said).toMatch(/^INSTANCE_NAME +Hearth +default$/m);
    });

    test("they come from the database, while the server runs and while it does not", async () => {
      await olga.put("/admin/settings", { registration: "closed", name: "The Fire Side" });
      for (const isRunning of [true, false]) {
        if (!isRunning) await server.stop();
        const said = await shown();
        expect(said).toMatch(/^REGISTRATION +closed +database$/m);
        expect(said).toMatch(/^INSTANCE_NAME +The Fire Side +database$/m);
        const given = await shown({ REGISTRATION: "invite" });
        expect(given).toMatch(/^REGISTRATION +invite +environment$/m);
        const admin = await hearth("admin settings", house.settings);
        expect(admin).toMatchObject({
          exitCode: 0,
          stdout: "REGISTRATION closed\nINSTANCE_NAME The Fire Side\n",
        });
      }
    });
  });
}

test("a database that cannot be read is told, and the settings are shown all the same", async () => {
  const house = await makeHouse("SQLite", {});
  const away = { ...house.settings, DATABASE_URL: "postgres://somebody:secret@127.0.0.1:9/chat" };
  const ended = await hearth("settings", away);
  expect(ended.exitCode).toBe(0);
  expect(ended.stdout).toMatch(/^REGISTRATION +open +default$/m);
  expect(ended.stderr).toMatch(/^What was changed while a server ran could not be read: .*\n$/);
  expect(ended.stderr).not.toContain("secret");
  await house.end();
});
