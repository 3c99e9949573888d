// The 12-hour clock, for a reader who chose it: shown wherever there is room for "am" and "pm".
import { test } from "bun:test";
import { inChromium, journey } from "./scene.ts";

inChromium("hours of a day", (scene) => {
  test(
    "health, the hours in which one can be reached, and the card that tells others of them",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      const windows = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: "00:00", end: "23:00" }));
      await bob.put("/auth/me/availability", { time_zone: "UTC", windows, dnd_outside: false });
      const watched = await scene.watched();
      await watched.context.addInitScript(
        `if (location.host) localStorage.setItem("hearth.look", JSON.stringify({ hours: 12 }))`,
      );
      const page = await watched.page("/admin/health", alice);
      await page.getByText(/looked at \d+:\d\d [ap]m/i).waitFor();
      await page.goto("/settings/availability");
      await page.getByText(/\w+day,? (at )?\d+:\d\d [ap]m/i).waitFor();
      await page.goto(`/servers/${server.id}`);
      await page.getByRole("complementary", { name: "Members" }).getByText("bob").click();
      await page
        .getByRole("dialog")
        .getByText(/\w+day,? (at )?\d+:\d\d [ap]m/i)
        .waitFor();
      await watched.close();
    },
    journey,
  );
});
