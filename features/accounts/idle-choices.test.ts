// The update after which pages no longer store that nobody touches them: a stored `idle` becomes `online`, once.
import { expect, test } from "bun:test";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { accountMigrations } from "./migrations.ts";

onOneProcess("choices that pages may have stored by themselves", (house) => {
  test("are online after the update; every other choice stays", async () => {
    const people = [];
    for (const status of ["idle", "dnd", "invisible", "online"]) {
      const person = await house().person(status);
      await person.put("/auth/me/presence", { status });
      people.push(person);
    }
    const { database } = house().running.house;
    const update = accountMigrations(database.engine)["0094_idle_choices"];
    await database.transaction((db) => update!.up(db));
    const chosen = [];
    for (const person of people) chosen.push(String((await person.get("/auth/me")).body.presence_chosen));
    expect(chosen).toEqual(["online", "dnd", "invisible", "online"]);
  });
});
