// Inviting people: the link is there when the dialog opens, with the limits that most people want.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Invite } from "../../features/invites/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { expectNoBarriers } from "./axe.ts";
import { copiedText } from "./clipboard.ts";
import { eventually } from "./eventually.ts";
import { held, later } from "./held.ts";
import { inChromium, journey } from "./scene.ts";
import { withoutWorker } from "./watched.ts";

/** The fields of an input element that tell which part of its text is seen and selected. */
type Shown = Record<"selectionStart" | "selectionEnd" | "scrollLeft" | "scrollWidth" | "clientWidth", number>;

const linkOf = (page: Page) => page.getByRole("textbox", { name: "Invite link" });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function openDialog(page: Page): Promise<void> {
  await press(page, "Server menu");
  await page.getByRole("menuitem", { name: "Invite people" }).click();
  await linkOf(page).waitFor();
}

async function codesOf(owner: TestPerson, server: { id: string }): Promise<string[]> {
  const { body } = await owner.get<Invite[]>(`/servers/${server.id}/invites`);
  return body.map(({ code }) => code);
}

const codeIn = async (page: Page) => (await linkOf(page).inputValue()).split("/").at(-1) ?? "";

inChromium("inviting people", (scene) => {
  test(
    "the link is there without a press, shown from its beginning, and is copied with one; another look makes no other",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const before = await codesOf(alice, server);
      const options = { ...withoutWorker, permissions: ["clipboard-write"] };
      const { watched, page } = await scene.open(alice, server, options);
      await openDialog(page);
      const field = linkOf(page);
      await field.and(page.locator(":focus")).waitFor();
      const url = await field.inputValue();
      expect(url).toStartWith(`${scene.url}/invite/`);
      await page.getByText("Good for 7 days, for anybody.").waitFor();
      const invites = (await alice.get<Invite[]>(`/servers/${server.id}/invites`)).body;
      const [newest] = invites.filter(({ code }) => !before.includes(code));
      const hours = (Date.parse(newest?.expires_at ?? "") - Date.now()) / 3_600_000;
      expect(Math.round(hours)).toBe(7 * 24);
      await expectNoBarriers(page);

      // All of it is selected, and what one sees is the beginning.
      const shown = () =>
        field.evaluate((input: unknown) => {
          const { selectionStart, selectionEnd, scrollLeft, scrollWidth, clientWidth } = input as Shown;
          return { selectionStart, selectionEnd, scrollLeft, isCut: scrollWidth > clientWidth };
        });
      await page.setViewportSize({ width: 360, height: 700 });
      await field.blur();
      await field.focus();
      await eventually(shown).toEqual({
        selectionStart: 0,
        selectionEnd: url.length,
        scrollLeft: 0,
        isCut: true,
      });
      await press(page, "Copy");
      await eventually(() => copiedText(page)).toBe(url);
      expect((await shown()).scrollLeft).toBe(0);

      // The button is at the right, as in other dialogs.
      const [dialog, done] = await Promise.all([
        page.getByRole("dialog").boundingBox(),
        page.getByRole("button", { name: "Done", exact: true }).boundingBox(),
      ]);
      const rightOf = (box: { x: number; width: number } | null) => (box ? box.x + box.width : 0);
      expect(rightOf(dialog) - rightOf(done)).toBeLessThan(32);
      await press(page, "Done");

      await page.setViewportSize({ width: 1280, height: 800 });
      await openDialog(page);
      expect(await field.inputValue()).toBe(url);
      expect(await codesOf(alice, server)).toHaveLength(before.length + 1);
      await press(page, "Done");
      // A withdrawn one is not shown again.
      await alice.delete(`/invites/${newest?.code}`);
      watched.allow(/status of 404/);
      await openDialog(page);
      expect(await field.inputValue()).not.toBe(url);
      await watched.close();
    },
    journey,
  );

  test(
    "a link that leads nowhere else says so, and how that is changed; one that others can open does not",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker);
      await openDialog(page);
      const warning = page.getByText("Works on this computer only. Set PUBLIC_URL.");
      await warning.waitFor();
      const line = page.getByText("PUBLIC_URL=https://chat.example.org");
      expect(await line.isVisible()).toBe(false);
      await page.getByText("How to set it up").click();
      await line.waitFor();
      const port = new URL(scene.url).port;
      await page.getByText(`http://NAME:${port}`).waitFor();
      await expectNoBarriers(page);

      // The page with the links to copy says so once, whether there are several of them or one.
      const here = page.url();
      await alice.post("/invites", { server_id: server.id });
      await page.goto(`/servers/${server.id}/settings/invites`);
      const copy = page.getByRole("button", { name: "Copy link of" });
      await copy.nth(1).waitFor();
      expect(await warning.count()).toBe(1);
      await page.getByText("How to set it up").click();
      await line.waitFor();
      await expectNoBarriers(page);
      await page.goto(here);

      await watched.context.route("**/api/v1/invites", async (route) => {
        const answer = await route.fetch();
        const invite = (await answer.json()) as Invite;
        const url = `https://chat.example.org/invite/${invite.code}`;
        await route.fulfill({ status: 201, json: { ...invite, url } });
      });
      await watched.context.route("**/api/v1/instance", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), public_url: "https://chat.example.org" } });
      });
      await page.reload();
      await openDialog(page);
      expect(await linkOf(page).inputValue()).toStartWith("https://chat.example.org/invite/");
      expect(await warning.count()).toBe(0);
      await watched.close();
    },
    journey,
  );

  test(
    "other limits make another link, in the place of one that nobody can have yet, and beside one that was copied",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const before = await codesOf(alice, server);
      const options = { ...withoutWorker, permissions: ["clipboard-write"] };
      const { watched, page } = await scene.open(alice, server, options);
      const change = async (name: string, to: string) => {
        const former = await codeIn(page);
        await press(page, "Change");
        await page.getByRole("combobox", { name }).selectOption(to);
        await press(page, "Create link");
        await linkOf(page).waitFor();
        await until(async () => (await codeIn(page)) !== former, "no other link comes");
        return { former, code: await codeIn(page) };
      };
      const fresh = async () => (await codesOf(alice, server)).filter((code) => !before.includes(code));
      await openDialog(page);
      const first = await change("How many can use it", "One person");
      await page.getByText("Good for 7 days, for one person.").waitFor();
      await eventually(fresh).toEqual([first.code]);
      await press(page, "Copy");
      await page.getByRole("button", { name: "Copied" }).waitFor();
      const second = await change("Expires after", "Never");
      await page.getByText("Never expires, for anybody.").waitFor();
      await eventually(fresh).toEqual([second.code, first.code]);
      await watched.close();
    },
    journey,
  );

  test(
    "where the link before the change cannot be revoked, the new one is shown, and the old one is said to be good",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const { watched, page } = await scene.open(alice, server, withoutWorker, /ERR_FAILED/);
      await openDialog(page);
      const former = await codeIn(page);
      await page.route(`**/invites/${former}`, (route) => route.abort());
      await press(page, "Change");
      await press(page, "Create link");
      await page.getByText("The link before this one could not be revoked. It is still good.").waitFor();
      await linkOf(page).waitFor();
      expect(await codeIn(page)).not.toBe(former);
      expect(await codesOf(alice, server)).toEqual(expect.arrayContaining([former, await codeIn(page)]));
      await watched.close();
    },
    journey,
  );

  test(
    "a link that is copied after a change was cancelled stays good, though the change is made",
    async () => {
      const { alice, server } = await scene.twoPeople();
      const options = { ...withoutWorker, permissions: ["clipboard-write"] };
      const { watched, page } = await scene.open(alice, server, options);
      await openDialog(page);
      const former = await codeIn(page);
      await press(page, "Change");
      const changing = await held(page, "**/invites");
      await press(page, "Create link");
      await changing.asked;
      await press(page, "Cancel");
      await press(page, "Copy");
      await page.getByRole("button", { name: "Copied" }).waitFor();
      await changing.answer();
      await until(async () => (await codeIn(page)) !== former, "no other link comes");
      await page.evaluate(later);
      expect(await codesOf(alice, server)).toContain(former);
      await watched.close();
    },
    journey,
  );

  test(
    "where no further link can be made, the dialog says why, and tries again when it is told to",
    async () => {
      const { alice, server } = await scene.twoPeople();
      for (let left = 50 - (await codesOf(alice, server)).length; left > 0; left--)
        await alice.post("/invites", { server_id: server.id });
      const { watched, page } = await scene.open(alice, server, withoutWorker, /status of 409/);
      await press(page, "Server menu");
      await page.getByRole("menuitem", { name: "Invite people" }).click();
      await page.getByText("One person can have at most 50 live invites to a server").waitFor();
      const [code] = await codesOf(alice, server);
      await alice.delete(`/invites/${code}`);
      await press(page, "Try again");
      await eventually(() => linkOf(page).inputValue()).toStartWith(`${scene.url}/invite/`);
      await watched.close();
    },
    journey,
  );

  test(
    "a guest has invited nobody; the first steps stand in the first channel alone, and stay away once they are put away",
    async () => {
      const { alice, bob, server } = await scene.twoPeople();
      await alice.post("/channels", { server_id: server.id, name: "recipes", type: "text" });
      const step = (page: Page, done = "") =>
        page.getByRole("region", { name: "First steps" }).getByRole("button", {
          name: `Invite people${done}`,
          exact: true,
        });
      const { watched: hers, page: ofOwner } = await scene.open(alice, server, withoutWorker);
      await step(ofOwner, ", done").waitFor();
      await hers.close();

      const { watched: his, page } = await scene.open(bob, server, withoutWorker);
      await step(page).waitFor();
      const goTo = async (channel: string) => {
        await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: channel }).click();
        await page.getByRole("heading", { name: `Here begins #${channel}` }).waitFor();
      };
      const steps = page.getByRole("region", { name: "First steps" });
      await goTo("recipes");
      await eventually(() => steps.count()).toBe(0);
      await goTo("general");
      await steps.waitFor();
      const hides = `[...document.querySelectorAll("section > button")].find((each) => each.textContent === "Hide these steps")`;
      await eventually(() =>
        page.evaluate<number>(`(() => {
          const text = document.createRange();
          text.selectNodeContents(${hides});
          return text.getBoundingClientRect().left - ${hides}.parentElement.getBoundingClientRect().left;
        })()`),
      ).toBe(0);
      await press(page, "Hide these steps");
      await steps.waitFor({ state: "detached" });
      await goTo("recipes");
      await goTo("general");
      await eventually(() => steps.count()).toBe(0);
      await his.close();
    },
    journey,
  );
});
