// Storage use as admins of an instance see it: cached sums, not counted anew.
import { expect, test } from "bun:test";
import { until } from "../../tests/house/machine/waiting.ts";
import { onOneProcess } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import { upload } from "../../tests/house/scenes/files.ts";
import { statementsOf } from "../../tests/house/scenes/statements.ts";
import { verdict } from "../../tests/permissions/verdict.ts";
import type { Storage } from "./contract.ts";

onOneProcess("the storage of an instance", (house) => {
  test("knows the database, the uploads of people and bots, and the room that is left", async () => {
    const [olga, bob] = [await house().person("olga"), await house().person("bob")];
    const ask = async () => (await olga.get<Storage>("/admin/storage")).body;
    const empty = await ask();
    expect(empty).toEqual({
      database_bytes: expect.any(Number),
      uploads_bytes: 0,
      uploads_count: 0,
      pictures_bytes: 0,
      free_bytes: expect.any(Number),
    });
    expect(empty.database_bytes).toBeGreaterThan(100_000);
    expect(empty.free_bytes).toBeGreaterThan(1_000_000);

    const bot = await TestBot.make(bob);
    const file = (size: number) => ["notes.txt", "x".repeat(size)] as const;
    for (const size of [10, 200]) await upload(bob, ...file(size));
    await upload(olga, ...file(3000));
    const form = new FormData();
    form.append("file", new File(["x".repeat(40_000)], "notes.txt"));
    expect((await bot.post("/upload", form)).status).toBe(201);
    await until(async () => (await ask()).uploads_count === 4, "the uploads are not in the sum");
    expect((await ask()).uploads_bytes).toBe(43_210);
    expect(verdict(await bob.get("/admin/storage"))).toBe("403 forbidden");
  });

  test("is summed up once for many who ask at once", async () => {
    const olga = await house().person("olga");
    await house().running.house.write(({ db }) =>
      db.updateTable("users").set({ instance_role: "admin" }).where("id", "=", olga.id).execute(),
    );
    // The sums of the previous test may still be cached.
    await house().restart();
    const { statements } = await statementsOf(house(), () =>
      Promise.all(Array.from({ length: 20 }, () => olga.get("/admin/storage"))),
    );
    expect(statements.filter((each) => each.includes("upload_sums"))).toHaveLength(1);
  });
});
