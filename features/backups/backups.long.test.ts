// An automatic backup of a running Hearth is complete, whichever database it uses.
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { hearth } from "../../tests/cli/hearth.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { type Engine, makeHouse, type TestHouse } from "../../tests/house/open/engines.ts";
import { keptIn, nameAt } from "./folder.ts";
import { backUpWhenDue } from "./making.ts";

const { PATH = "", HOME = "" } = Bun.env;
const dayMs = 24 * 3600_000;

let house: TestHouse;

afterEach(() => house?.end());

const engines: Engine[] = Bun.env.HEARTH_TEST_POSTGRES ? ["SQLite", "PostgreSQL"] : ["SQLite"];
for (const engine of engines) {
  test(`on ${engine} one is made within moments, is whole, and the next when it is due`, async () => {
    house = await makeHouse(engine, { PATH, HOME });
    const folder = join(house.settings.DATA_DIR ?? "", "backups");
    mkdirSync(folder, { recursive: true });
    house.settings.BACKUP_DIR = folder;
    await house.open();
    const { epoch } = house.running.house;
    const whole = async () => (await keptIn(folder, epoch)).map(({ name }) => name);
    await until(async () => (await whole()).length === 1, "none is made");
    const [name = ""] = await whole();
    await until(() => readdirSync(folder).length === 1, "something unfinished is left");
    const checked = await hearth(`restore --check ${join(folder, name)}`, {
      PATH,
      HOME,
      ...house.settings,
    });
    expect(checked).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("It is whole.") });
    const [newest] = await keptIn(folder, epoch);
    renameSync(join(folder, name), join(folder, nameAt(epoch, newest!.at - dayMs, false)));
    await backUpWhenDue(house.running.house);
    expect((await whole()).length).toBe(2);
  });
}
