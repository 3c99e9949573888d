// Recurring work whose database is away: one line of the log is enough, whatever else goes on.
import { expect, spyOn, test } from "bun:test";
import { makeHouse } from "../../tests/house/engines.ts";
import { until } from "../../tests/house/waiting.ts";
import { Jobs } from "./jobs.ts";

test("it is told once, also beside work that asks nothing of it, and once more when it was back and goes again", async () => {
  const own = await makeHouse("SQLite", {}, undefined, true);
  await own.open();
  await own.quiet();
  const { house } = own.running;
  const gone = new Error("gone");
  const times = { asking: 0, idling: 0 };
  let isAway = true;
  using error = spyOn(house.log, "error").mockImplementation(() => {});
  using _ = spyOn(house.database, "isAway").mockImplementation((thrown) => thrown === gone);
  const jobs = new Jobs(house, [
    {
      name: "ask",
      everyMs: 10,
      async run() {
        times.asking++;
        if (isAway) throw gone;
        return false;
      },
    },
    {
      name: "idle",
      everyMs: 10,
      async run() {
        times.idling++;
        return false;
      },
    },
  ]);
  async function someTimes(): Promise<void> {
    const { asking, idling } = { ...times };
    await until(() => times.asking > asking + 5 && times.idling > idling + 5, "they do not come again");
  }
  await someTimes();
  expect(error).toHaveBeenCalledTimes(1);
  isAway = false;
  await someTimes();
  isAway = true;
  await someTimes();
  expect(error).toHaveBeenCalledTimes(2);
  await jobs.stop();
  await own.end();
});
