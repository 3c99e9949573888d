// A process that cannot look at what others commit: what it remembers is not believed for long.

import { afterEach, expect, setSystemTime, spyOn, test } from "bun:test";
import { makeHouse } from "../../tests/house/engines.ts";
import { until } from "../../tests/house/waiting.ts";
import { Notices } from "./notices.ts";

afterEach(() => void setSystemTime());

test.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)(
  "while a look hangs, what is remembered is forgotten, again and again",
  async () => {
    const house = await makeHouse("PostgreSQL", {}, undefined, true);
    await house.open();
    const held = Promise.withResolvers<undefined>();
    using look = spyOn(Notices.prototype, "read").mockReturnValue(held.promise);
    await until(() => look.mock.calls.length > 0, "it does not look");
    const remembered = house.running.house.cache<string>("thoughts", 10);
    await remembered.get("one", async () => "kept");
    expect(remembered.peek("one")).toBe("kept");
    setSystemTime(Date.now() + 11_000);
    for (let times = 0; times < 2; times++) {
      await remembered.get("one", async () => "kept");
      await until(() => remembered.peek("one") === undefined, "it is believed");
    }
    look.mockRestore();
    held.resolve(undefined);
    await house.end();
  },
);
