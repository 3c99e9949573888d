// Shared parts of browser tests of calls: a room, its address, and the participants on the page.
import type { Locator, Page } from "playwright-core";
import type { Channel } from "../../features/channels/contract.ts";
import type { TestPerson } from "../house/people/people.ts";

/** Makes a voice channel in a new server of hers. */
export async function roomOf(alice: TestPerson, ...others: TestPerson[]): Promise<Channel> {
  const server = await alice.makeServer("The house");
  await alice.bringIn(server.id, ...others);
  const asked = { server_id: server.id, name: "parlour", type: "voice" };
  return (await alice.post<Channel>("/channels", asked)).body;
}

export function addressOf({ server_id, id }: Channel): string {
  return `/servers/${server_id}/channels/${id}`;
}

export function tileOf(page: Page, name: string): Locator {
  return page.getByRole("main").getByRole("listitem").filter({ hasText: name });
}

export function toolbarOf(page: Page): Locator {
  return page.getByRole("toolbar", { name: "Voice" });
}

/** Joins the open room. */
export async function join(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Join", exact: true }).click();
  await toolbarOf(page).getByRole("button", { name: "Deafen" }).waitFor();
}

/** An init script: permission for the microphone is asked for, and not answered until the test does. */
export const askingLong = `
  globalThis.given = [];
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    await new Promise((answer) => { globalThis.answer = answer; });
    const stream = await ask(wanted);
    given.push(...stream.getTracks());
    return stream;
  };`;
