// The end of a process: work that is running when the database closes is not logged as an error.
import { expect, spyOn, test } from "bun:test";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { asRefusal } from "./as-refusal.ts";
import { logFailure } from "./failure.ts";

for (const engine of ["SQLite", "PostgreSQL"] as const) {
  test.skipIf(engine === "PostgreSQL" && !Bun.env.HEARTH_TEST_POSTGRES)(
    `what is asked of a closed ${engine} is unavailable, and no error in the log`,
    async () => {
      const opened = await makeHouse(engine, {}, undefined, true);
      await opened.open();
      const { house } = opened.running;
      await opened.shut();
      const errors = spyOn(house.log, "error");
      const asked = await Promise.allSettled([
        house.read((unit) => unit.db.selectFrom("users").selectAll().execute()),
        house.write((unit) => unit.db.selectFrom("users").selectAll().execute()),
      ]);
      for (const each of asked) {
        if (each.status !== "rejected") throw new Error("the database was open");
        expect(asRefusal(house, each.reason, "id").code).toBe("unavailable");
        logFailure(house, each.reason, "a task in the background failed");
      }
      expect(errors).not.toHaveBeenCalled();
      await opened.end();
    },
  );
}
