// Steps of journeys through direct conversations: beginning one, finding people, writing.
import type { Locator, Page } from "playwright-core";
import type { Conversation } from "../../features/channels/contract.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Scene } from "./scene.ts";

/** Alice, Bob and Carol, in a server of hers. */
export async function threePeople(scene: Scene) {
  const { alice, bob, server } = await scene.twoPeople();
  const carol = await scene.person("carol");
  await alice.bringIn(server.id, carol);
  return { alice, bob, carol, server };
}

/** Opens the conversation with one person, or begins a group. */
export async function begin(by: TestPerson, ...others: TestPerson[]): Promise<Conversation> {
  return (await by.post<Conversation>("/direct", { user_ids: others.map(({ id }) => id) })).body;
}

/** The link to the direct conversations in the strip of servers; `state` is what follows its name. */
export function tabOf(page: Page, state?: string): Locator {
  return page
    .getByRole("navigation", { name: "Servers" })
    .getByRole("link", { name: ["Direct messages", state].filter(Boolean).join(", "), exact: true });
}

export function listOf(page: Page): Locator {
  return page.getByRole("navigation", { name: "Conversations" });
}

/** Finds a person in the field of an open dialog. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("combobox", { name: "Who", exact: true }).fill(name);
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
}

export async function write(page: Page, to: string, text: string): Promise<void> {
  const box = page.getByRole("textbox", { name: `Message ${to}`, exact: true });
  await box.fill(text);
  await box.press("Enter");
  await page.getByRole("article").getByText(text).waitFor();
}
