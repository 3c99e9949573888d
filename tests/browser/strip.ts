// Servers beside each other in the strip, and what its tabs and its list say.
import type { Page } from "playwright-core";
import type { Home, Scene } from "./scene.ts";

export const names = [
  "Theta Friends",
  "Choir",
  "The Allotment",
  "Open Shelves",
  "River Crew",
  "Night Garden",
  "Kite Club",
];

/** Alice with so many servers, in the order of their names above, and Bob in each. */
export async function inServers(scene: Scene, count: number) {
  const [alice, bob] = [await scene.person("alice"), await scene.person("bob")];
  const servers: Home[] = [];
  for (let i = 0; i < count; i++) {
    const server = await alice.makeServer(names[i] ?? `Another ${i}`);
    await alice.bringIn(server.id, bob);
    servers.push(server);
  }
  return { alice, bob, servers };
}

export function at(servers: readonly Home[], place: number): Home {
  const server = servers[place];
  if (!server) throw new Error(`there is no server ${place}`);
  return server;
}

export const tabsOf = `[...document.querySelectorAll("nav[aria-label=Servers] [data-tabs] > a")]`;

/** The letters on the tabs, in order. */
export function letters(page: Page): Promise<string[]> {
  return page.evaluate(`${tabsOf}.map((tab) => tab.querySelector("[aria-hidden=true]").textContent)`);
}

/** The number at the button of the list of all; empty without one. */
export const described = `document.getElementById(document.querySelector("[aria-label='All servers']").getAttribute("aria-describedby") ?? "none")?.textContent ?? ""`;

/** The names in the list, in order. */
export function listed(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll("[role=dialog] ul[aria-label=Servers] a")].map((link) => link.children[1].textContent)`,
  );
}
