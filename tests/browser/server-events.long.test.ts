// A server's events, in the time zones of their planners and guests.
import { expect, test } from "bun:test";
import type { ScheduledEvent } from "../../features/schedule/contract.ts";
import { until } from "../house/machine/waiting.ts";
import { expectNoBarriers } from "./axe.ts";
import { eventually } from "./eventually.ts";
import { furnished } from "./furnished-server.ts";
import { hasFocus, inChromium, journey } from "./scene.ts";

inChromium("events of a server", (scene) => {
  test(
    "Marta plans in her own time zone; Ben says whether he comes, from the menu of the server",
    async () => {
      const { owner, moderator, member, server } = await furnished(scene, "Mint");
      const second = await owner.post<{ id: string }>("/channels", { server_id: server.id, name: "help" });
      const hers = await scene.watched({ timezoneId: "Asia/Tokyo" });
      const page = await hers.page(`/servers/${server.id}/settings/events`, moderator);
      await page.getByText("Nothing is planned.").waitFor();
      await page.getByRole("button", { name: "Plan an event" }).click();
      await page.getByRole("textbox", { name: "Title" }).fill("Release party");
      await page.getByLabel("Begins").fill("2031-04-23T18:30");
      await page.getByLabel("Ends (if that is known)").fill("2031-04-23T18:00");
      await page.getByText("The end has to come after the beginning.").first().waitFor();
      await page.getByLabel("Ends (if that is known)").fill("2031-04-23T20:00");
      await page.getByText("Times are in your time zone: Asia/Tokyo, GMT+9.").last().waitFor();
      await page.getByRole("combobox", { name: "Where" }).selectOption("# general");
      await expectNoBarriers(page);
      await page.getByRole("button", { name: "Plan event", exact: true }).click();
      await page.getByText(/23 April 2031.*18:30.*20:00/).waitFor();
      const [event] = (await member.get<ScheduledEvent[]>(`/servers/${server.id}/events`)).body;
      expect(event?.starts_at).toBe("2031-04-23T09:30:00.000Z");
      await expectNoBarriers(page);

      const his = await scene.watched({ timezoneId: "Europe/Berlin" });
      const ben = await his.page(`/servers/${server.id}`, member);
      await ben.getByRole("button", { name: "Server menu" }).click();
      await ben.getByRole("menuitem", { name: "Events" }).click();
      await ben.getByText(/23 April 2031.*11:30.*13:00/).waitFor();
      await ben.getByRole("button", { name: "Going 0", exact: true }).click();
      await ben.getByRole("button", { name: "Going 1", exact: true, pressed: true }).waitFor();
      await ben.getByRole("button", { name: "Maybe 0" }).click();
      await ben.getByRole("button", { name: "Maybe 1", pressed: true }).waitFor();
      await eventually(() => ben.getByRole("button", { name: "Change Release party" }).count()).toBe(0);
      await expectNoBarriers(ben);
      await ben.goto(`/servers/${server.id}/channels/${second.body.id}`);
      await ben.getByRole("button", { name: "Server menu" }).click();
      await ben.getByRole("menuitem", { name: "Events" }).click();
      await ben.getByRole("link", { name: "in #general" }).click();
      await ben.getByRole("main", { name: "general" }).waitFor();
      await ben.getByRole("dialog").waitFor({ state: "detached" });
      await his.close();

      await page.getByRole("button", { name: "Change Release party" }).click();
      await page.getByRole("textbox", { name: "Title" }).fill("Release feast");
      await page.getByRole("button", { name: "Save event" }).click();
      await page.getByRole("button", { name: "Maybe 1" }).waitFor();
      await page.getByRole("button", { name: "Call off Release feast" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Call off event" }).click();
      await page.getByText("Nothing is planned.").waitFor();
      await until(() => hasFocus(page), "the focus was lost with the event");
      await hers.close();
    },
    journey,
  );
});
