// A long journey of two people in a rough profile, which shows faults that the usual test browsers hide.
import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import { until } from "../house/machine/waiting.ts";
import type { TestPerson } from "../house/people/people.ts";
import { png } from "../house/scenes/files.ts";
import { boxOf, kept, standing, write } from "./composing.ts";
import { eventually } from "./eventually.ts";
import { expectPageEnds } from "./page-end.ts";
import { behind, rough, roughFlags } from "./rough.ts";
import { atPlainName, barOf, type Home, journey, rowOf, signIn } from "./scene.ts";
import type { Watched } from "./watched.ts";
import { belowSight, messages as list, untilStill, wheel } from "./watching-rows.ts";

const password = "correct horse battery";
const history = 150;

atPlainName(
  "a rough profile",
  (scene) => {
    let olga: TestPerson;
    let server: Home;
    let garden: Channel;
    let invite: string;
    let irem: { watched: Watched; page: Page };
    let idil: { watched: Watched; page: Page };

    beforeAll(async () => {
      olga = await scene.person("olga");
      server = await olga.makeServer("The kitchen");
      const asked = { server_id: server.id, name: "garden", position: 2 };
      garden = (await olga.post<Channel>("/channels", asked)).body;
      for (let i = 0; i < history; i++) await olga.say(server.general.id, `said before, ${i}`);
      invite = (await olga.post<{ code: string }>("/invites", { server_id: server.id })).body.code;
    });

    const rowWith = (page: Page, text: string) => page.locator("[data-message-id]").filter({ hasText: text });

    /** The first field shown to a person without a server. */
    const withoutServer = (page: Page) => page.getByRole("main").getByRole("textbox").first();

    async function register(name: string) {
      const { watched, page } = await rough(scene, "/register");
      // Signed out: the browser reports the 401.
      watched.allow(/status of 401/);
      await page.getByRole("textbox", { name: "E-mail" }).fill(`${name.toUpperCase()}@people.example`);
      await page.getByRole("textbox", { name: "Username" }).fill(name.toUpperCase());
      await page.getByRole("textbox", { name: "Display name" }).fill(name);
      await page.getByRole("textbox", { name: "Password" }).fill(password);
      await expectPageEnds(page, "registering");
      await page.getByRole("button", { name: "Create account" }).click();
      await withoutServer(page).waitFor();
      await expectPageEnds(page, "without a server");
      return { watched, page };
    }

    async function signOut(page: Page): Promise<void> {
      await page.getByRole("button", { name: "You" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    }

    /** The newest messages, as olga reads them. */
    async function said(count = 5): Promise<Message[]> {
      return (await olga.get<Message[]>(`/channels/${server.general.id}/messages?limit=${count}`)).body;
    }

    test(
      "Irem registers, signs out and in again by other letters, and joins by the invite; so does Idil, in a window behind others",
      async () => {
        irem = await register("Irem");
        await signOut(irem.page);
        await signIn(irem.page, { username: "irem", password } as TestPerson);
        await withoutServer(irem.page).waitFor();
        idil = await register("Idil");
        for (const { page } of [irem, idil]) {
          await page.goto(`/invite/${invite}`);
          await page.getByText("said before").waitFor({ state: "detached" });
          await expectPageEnds(page, "an invite");
          await behind(page, async () => {
            await page.getByRole("button", { name: "Join" }).click();
            await page.getByRole("main", { name: "general" }).waitFor();
          });
          await rowWith(page, `said before, ${history - 1}`).waitFor();
          await expectPageEnds(page, "a channel");
        }
      },
      journey,
    );

    test(
      "they talk: what one says, corrects, answers and marks the other sees, also when it was away meanwhile",
      async () => {
        const { page } = irem;
        await write(page, "I bring ICE and İzmir's figs");
        await rowWith(idil.page, "İzmir's figs").waitFor();
        await eventually(() => page.locator("[data-state=pending]").count()).toBe(0);
        // Sent right before switching to another window.
        await behind(page, async () => {
          await write(idil.page, "I bring bread");
          await rowWith(page, "I bring bread").waitFor();
        });
        await boxOf(page).press("ArrowUp");
        const field = page.getByRole("textbox", { name: "Edit message" });
        await field.fill("I bring ICE and two baskets of figs");
        await field.press("Enter");
        await rowWith(idil.page, "two baskets of figs").getByText("edited").waitFor();

        const [bread] = await said(1);
        if (!bread) throw new Error("nothing was said");
        const row = rowOf(page, bread);
        await (await barOf(row)).getByRole("button", { name: "Reply", exact: true }).click();
        await page.keyboard.type("With seeds?");
        await page.keyboard.press("Enter");
        await idil.page.getByRole("link", { name: "Reply to Idil: I bring bread" }).waitFor();

        // The name of the flag begins with a letter whose lower case differs in Turkish.
        await (await barOf(row)).getByRole("button", { name: "React", exact: true }).click();
        const search = page.getByRole("combobox", { name: "Search emoji" });
        await search.fill("Italy");
        await page.getByRole("gridcell", { name: /Italy/ }).click();
        await rowOf(idil.page, bread).getByRole("button", { name: "🇮🇹 1" }).click();
        await row.getByRole("button", { name: "🇮🇹 2" }).waitFor();
        await expectPageEnds(page, "a talk");
      },
      journey,
    );

    test(
      "a picture goes out with its words from a window that is behind, and is seen",
      async () => {
        const { page } = irem;
        const chooser = page.waitForEvent("filechooser");
        await page.getByRole("button", { name: "Attach files" }).click();
        await (await chooser).setFiles({ name: "FIGS.PNG", mimeType: "image/png", buffer: Buffer.from(png) });
        await page.getByRole("button", { name: "Remove FIGS.PNG" }).waitFor();
        await expectPageEnds(page, "a file with a message");
        await boxOf(page).fill("The figs");
        await boxOf(page).press("Enter");
        await behind(page, () => rowWith(idil.page, "The figs").getByRole("img").first().waitFor());
        await rowWith(page, "The figs").getByRole("img").first().waitFor();
        await eventually(() => page.locator("[data-state]").count()).toBe(0);
        const [message] = await said(1);
        expect(message).toMatchObject({ content: "The figs", attachments: [{ name: "FIGS.PNG" }] });
      },
      journey,
    );

    test(
      "switching channels and scrolling up, all the way to the first message, leaves nothing out",
      async () => {
        const { page } = irem;
        await page.getByRole("link", { name: "garden" }).click();
        await page.getByRole("main", { name: "garden" }).waitFor();
        await page.getByRole("link", { name: "general" }).click();
        await rowWith(page, "The figs").waitFor();
        await untilStill(page);
        const seen = new Set<string>();
        await until(async () => {
          const texts = await page.locator(`${list} [data-message-id] p`).allInnerTexts();
          for (const text of texts) if (/^said before/.test(text)) seen.add(text);
          // Less than the height of the list.
          await wheel(page, -300);
          return seen.has("said before, 0");
        }, "the first message does not come");
        expect([...seen].sort()).toEqual(
          Array.from({ length: history }, (_, i) => `said before, ${i}`).sort(),
        );
        await expectPageEnds(page, "the beginning of a channel");
        await page.getByRole("button", { name: "Jump to present" }).click();
        await eventually(() => belowSight(page)).toBeLessThan(30);
        await rowWith(page, "The figs").waitFor();
      },
      journey,
    );

    test(
      "what comes while the window is behind is counted outside, and read once it is looked at",
      async () => {
        const { page } = irem;
        await behind(page, async () => {
          for (let i = 0; i < 3; i++) await olga.say(server.general.id, `@irem soup is ready, ${i}`);
          await eventually(() => page.title()).toBe("(3) general · The kitchen");
        });
        await rowWith(page, "soup is ready, 2").waitFor();
        await eventually(() => page.title()).toBe("general · The kitchen");
        await olga.say(garden.id, "@irem also in the garden");
        await eventually(() => page.title()).toBe("(1) general · The kitchen");
        await page.keyboard.press("Shift+Escape");
        await eventually(() => page.title()).toBe("general · The kitchen");
      },
      journey,
    );

    test(
      "a name is changed and the other one sees it; a reload keeps what was begun; signing out leaves nothing",
      async () => {
        const { page } = irem;
        await page.getByRole("button", { name: "You" }).click();
        await page.getByRole("menuitem", { name: "Settings" }).click();
        await page.getByRole("textbox", { name: "Display name" }).fill("İrem Işık");
        await expectPageEnds(page, "settings");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByRole("button", { name: "Save changes" }).waitFor({ state: "detached" });
        await idil.page.getByRole("article").getByRole("button", { name: "İrem Işık" }).first().waitFor();
        await page.getByRole("button", { name: "Close" }).click();
        await page.getByRole("main", { name: "general" }).waitFor();

        await boxOf(page).fill("Half a thought");
        await kept(page, 'text === "Half a thought"');
        await page.reload();
        await eventually(async () => (await standing(page)).text).toBe("Half a thought");
        await boxOf(page).press("Enter");
        await rowWith(idil.page, "Half a thought").waitFor();
        await eventually(() => page.locator("[data-state=pending]").count()).toBe(0);
        for (const each of [irem, idil]) {
          await signOut(each.page);
          await expectPageEnds(each.page, "signing in");
          await each.watched.close();
        }
        const contents = (await said(100)).map(({ content }) => content);
        expect(new Set(contents).size).toBe(contents.length);
      },
      journey,
    );
  },
  undefined,
  roughFlags,
);
