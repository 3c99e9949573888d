// Away by itself: a person with several devices is away while nobody touches any of them, and sees what others see.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { eventually } from "./eventually.ts";
import { inChromium, journey, type Scene } from "./scene.ts";
import { village } from "./village.ts";
import { withoutWorker } from "./watched.ts";

/** The page looks every 15 seconds whether anybody touches it: in these tests, five times a second. */
const oftener = `const real = setInterval;
  window.setInterval = (run, ms, ...more) => real(run, ms === 15000 ? 200 : ms, ...more);`;
const touched = "hearth.touched-at";
const longAgoMs = 11 * 60_000;

async function device(scene: Scene, path: string, person: TestPerson) {
  const watched = await scene.watched(withoutWorker);
  await watched.context.addInitScript(oftener);
  /** The frames that the page has sent. */
  const said: string[] = [];
  watched.context.on("page", (page) =>
    page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => said.push(String(payload)))),
  );
  const page = await watched.page(path, person);
  await until(() => said.some((frame) => frame.includes('"auto":true')), "the device says nothing of itself");
  return { watched, said, page };
}

/** Lets the device lie there since eleven minutes ago. */
function leaveAlone(page: Page): Promise<void> {
  return page.evaluate(
    ([key, at]) => localStorage.setItem(key as string, String(at)),
    [touched, Date.now() - longAgoMs],
  );
}

/** The name and the status at the button "You". */
async function own(page: Page): Promise<string> {
  const you = page.getByRole("button", { name: "You", exact: true });
  return page.locator(`[id="${await you.getAttribute("aria-describedby")}"]`).innerText();
}

inChromium("away by itself", (scene) => {
  test(
    "Bob, who lies one device aside and writes at the other, is online; with both aside he is away, until a touch",
    async () => {
      const { alice, bob, server } = await village(scene);
      const hers = await device(scene, `/servers/${server.id}`, alice);
      const [first, second] = [
        await device(scene, `/servers/${server.id}`, bob),
        await device(scene, `/servers/${server.id}`, bob),
      ];
      const members = hers.page.getByRole("complementary", { name: "Members" });
      const seen = (status: string) =>
        members.getByRole("button", { name: new RegExp(`^bob \\(${status}`) }).waitFor();
      await seen("Online");
      const ear = await alice.listen();
      const statuses = () =>
        ear
          .heard("PRESENCE_UPDATE")
          .filter(({ data }) => String(data.user_id) === bob.id)
          .map(({ data }) => String(data.status));
      await leaveAlone(first.page);
      await until(() => first.said.some((frame) => frame.includes('"idle"')), "the device says nothing");
      await second.page.getByRole("textbox", { name: "Message #general" }).fill("I am here");
      await second.page.keyboard.press("Enter");
      await second.page.getByText("I am here").first().waitFor();
      expect(statuses()).toEqual([]);
      expect(await own(second.page)).toContain("Online");

      await leaveAlone(second.page);
      await seen("Away");
      for (const { page } of [first, second]) await eventually(() => own(page)).toContain("Away");
      await first.page.keyboard.press("Shift");
      await seen("Online");
      for (const { page } of [first, second]) await eventually(() => own(page)).toContain("Online");
      expect(statuses()).toEqual(["idle", "online"]);
      expect((await bob.get("/auth/me")).body.presence_chosen as unknown).toBe("online");
      for (const { watched } of [hers, first, second]) await watched.close();
    },
    journey,
  );

  test(
    "Bob, who walks through the messages by keys alone, is not away",
    async () => {
      const { bob, server } = await village(scene);
      await bob.say(server.general.id, "One");
      await bob.say(server.general.id, "Two");
      const { watched, said, page } = await device(
        scene,
        `/servers/${server.id}/channels/${server.general.id}`,
        bob,
      );
      const rows = page.getByRole("article");
      await rows.last().focus();
      await leaveAlone(page);
      await until(() => said.some((frame) => frame.includes('"idle"')), "the device says nothing");
      await eventually(() => own(page)).toContain("Away");
      await page.keyboard.press("ArrowUp");
      await eventually(() => own(page)).toContain("Online");
      await watched.close();
    },
    journey,
  );

  test(
    "a status text that is changed leaves the end of do-not-disturb as it was; a choice on another device takes it away",
    async () => {
      const { bob, server } = await village(scene);
      const { watched, page } = await device(scene, `/servers/${server.id}`, bob);
      const open = async () => {
        await page.getByRole("button", { name: "You", exact: true }).click();
        await page.getByRole("menuitem", { name: "Set status" }).click();
      };
      const save = async () => {
        await page.getByRole("button", { name: "Save status" }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
      };
      const end = () => page.evaluate<string | null>(`localStorage.getItem("hearth.presence-dnd-until")`);
      await open();
      await page.getByRole("radio", { name: /Do not disturb/ }).check();
      await page.getByRole("combobox", { name: "Until when" }).selectOption({ label: "For one hour" });
      await save();
      const chosen = await end();
      expect(Number(chosen)).toBeGreaterThan(Date.now());
      await open();
      await page.getByRole("textbox", { name: "What are you doing?" }).fill("At the stove");
      const shown = `document.querySelector("[role=dialog] select").selectedOptions[0].text`;
      expect(await page.evaluate<string>(shown)).toMatch(/^Until (today|tomorrow), /);
      await save();
      expect(await end()).toBe(chosen);
      await eventually(async () => (await bob.get("/auth/me")).body.status_text as unknown).toBe(
        "At the stove",
      );

      await bob.put("/auth/me/presence", { status: "online" });
      await eventually(end).toBe("null");
      await watched.close();
    },
    journey,
  );

  test(
    "Carol, who is in no server, sees how others would see her, also when she chooses elsewhere, and in her first server",
    async () => {
      const carol = await scene.person("carol");
      const { watched, page } = await device(scene, "/", carol);
      await eventually(() => own(page)).toContain("Online");
      await leaveAlone(page);
      await eventually(() => own(page)).toContain("Away");
      await page.keyboard.press("Shift");
      await eventually(() => own(page)).toContain("Online");
      await carol.put("/auth/me/presence", { status: "dnd" });
      await eventually(() => own(page)).toContain("Do not disturb");
      await carol.put("/auth/me/presence", { status: "online" });
      await carol.makeServer("Her first");
      await page.getByRole("link", { name: "Her first" }).waitFor();
      await eventually(() => own(page)).toContain("Online");
      await watched.close();
    },
    journey,
  );
});
