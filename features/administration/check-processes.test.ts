// Processes started with different settings: the doctor and the log name the settings that differ, and no secret.
import { describe, expect, spyOn, test } from "bun:test";
import { readConfig } from "../../server/config/config.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { makeHouse } from "../../tests/house/open/engines.ts";
import { checkProcesses } from "./check-processes.ts";

describe.skipIf(!Bun.env.HEARTH_TEST_POSTGRES)("processes", () => {
  const settings = {
    PUBLIC_URL: "https://chat.example.org",
    SMTP_URL: "smtp://hearth:password@127.0.0.1:2525",
    MAIL_FROM: "hearth@example.org",
  };

  test("with the same settings are well; with others, each that is not alike is named, and nobody's secret is kept", async () => {
    const house = await makeHouse("PostgreSQL", settings);
    const check = (more: Record<string, string>) =>
      checkProcesses(readConfig([], { ...house.settings, ...more }));
    expect(await check({})).toBeUndefined();
    await house.open();
    expect(await check({ PORT: "8081", DATA_DIR: "/elsewhere", LOG_LEVEL: "info" })).toEqual({
      ...{ about: "processes", state: "ok", says: "One process runs, started with these settings." },
    });
    expect(await check({ PUBLIC_URL: "https://other.example.org", RATE_AUTH: "1/2" })).toMatchObject({
      state: "wrong",
      says: expect.stringContaining("the value here of PUBLIC_URL, RATE_AUTH: give all the same"),
    });
    const { database } = house.running.house;
    const [row] = await database.read.selectFrom("processes").select("settings").execute();
    expect(Object.keys(JSON.parse(row?.settings ?? ""))).not.toContain("SMTP_URL");
    await house.end();
  });

  test("that meet one with other settings say so; one of an earlier release says nothing of its own", async () => {
    const house = await makeHouse("PostgreSQL", settings);
    await house.open();
    const { database, log } = house.running.house;
    const warn = spyOn(log, "warn");
    const later = Date.now() + 3600_000;
    await database.transaction((db) =>
      db
        .insertInto("processes")
        .values([
          { id: "earlier", alive_at: later, settings: "", signs_lines: 1, clock_ahead_ms: 0 },
          {
            id: "another",
            alive_at: later,
            settings: JSON.stringify({ PUBLIC_URL: "", NEWER: "x" }),
            signs_lines: 1,
            clock_ahead_ms: 0,
          },
        ])
        .execute(),
    );
    const said = () => warn.mock.calls.filter(([fields]) => "settings" in (fields as object));
    await until(() => said().length > 0, "nothing is said");
    expect(said()).toEqual([
      [{ settings: "PUBLIC_URL" }, "another process was started with other settings: give all the same"],
    ]);
    await house.end();
  });
});
