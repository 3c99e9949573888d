// The states of the page to take screenshots of: address, viewer, and actions before the screenshot.
import type { Page } from "playwright-core";
import { mainChannel, voiceRoom } from "./community.ts";
import { drawPhotograph } from "./drawings.ts";
import { channelOf, type Town } from "./town.ts";

interface Scene {
  page: Page;
  town: Town;
  isPhone: boolean;
}

export interface State {
  name: string;
  /** Taken on a separate server without any accounts. */
  isEmpty?: true;
  /** Taken only when requested by name. */
  isAside?: true;
  who: "reader" | "newcomer" | "nobody";
  address(town: Town): string;
  /** The key of the first unread message when the page opens. */
  unread?: string;
  act?(scene: Scene): Promise<void>;
}

const main = ({ serverId, channels }: Town) =>
  `/servers/${serverId}/channels/${channelOf(channels, mainChannel).id}`;
const saidIn = (town: Town, key: string) => `[data-message-id="${town.said.get(key)}"]`;

export const states: readonly State[] = [
  { name: "chat", who: "reader", address: main, unread: "oskar asks", act: chat },
  {
    ...{ name: "history", who: "reader", unread: "the lamp", act: lookBack },
    address: (town) => `${main(town)}/messages/${town.said.get("the dial")}`,
  },
  { name: "switcher", who: "reader", address: main, unread: "oskar asks", act: openSwitcher },
  { name: "menu", who: "reader", address: main, unread: "oskar asks", act: openMenu },
  { name: "emoji", isAside: true, who: "reader", address: main, unread: "oskar asks", act: openEmoji },
  { name: "card", isAside: true, who: "reader", address: main, unread: "oskar asks", act: openCard },
  { name: "offline", who: "reader", address: main, unread: "oskar asks", act: loseConnection },
  {
    ...{ name: "channels", isAside: true, who: "reader", unread: "oskar asks" },
    address: ({ serverId }) => `/servers/${serverId}`,
  },
  {
    ...{ name: "members", isAside: true, who: "reader", unread: "oskar asks" },
    address: (town) => `${main(town)}?show=members`,
  },
  {
    ...{ name: "mentions", isAside: true, who: "reader" },
    address: ({ serverId }) => `/servers/${serverId}?show=mentions`,
  },
  {
    name: "direct",
    isAside: true,
    who: "reader",
    address: ({ talks }) => `/direct/${talks.get("mei")}`,
    act: untilRoom,
  },
  { name: "conversations", isAside: true, who: "reader", address: () => "/direct" },
  { name: "group", isAside: true, who: "reader", address: groupAddress, act: openPeople },
  { name: "new-conversation", isAside: true, who: "reader", address: groupAddress, act: beginTalk },
  { name: "ringing", isAside: true, who: "reader", address: main, unread: "oskar asks", act: ringing },
  {
    ...{ name: "calling", isAside: true, who: "reader", act: calling },
    address: ({ talks }) => `/direct/${talks.get("mei")}`,
  },
  { name: "sign-in", who: "nobody", address: () => "/login" },
  { name: "register", who: "nobody", address: () => "/register" },
  { name: "invited", isAside: true, who: "nobody", address: ({ inviteCode }) => `/invite/${inviteCode}` },
  { name: "invite-ended", isAside: true, who: "nobody", address: () => "/invite/AAAAAAAAAAAAAAAA" },
  { name: "inviting", isAside: true, who: "reader", address: main, unread: "oskar asks", act: invite },
  { name: "start", isAside: true, who: "newcomer", address: () => "/" },
  { name: "invite", who: "newcomer", address: ({ inviteCode }) => `/invite/${inviteCode}` },
  {
    ...{ name: "first-steps", who: "reader" },
    address: ({ emptyServerId, channels }) =>
      `/servers/${emptyServerId}/channels/${channelOf(channels, "empty").id}`,
  },
  { name: "roles", who: "reader", address: ({ serverId }) => `/servers/${serverId}/settings/roles` },
  {
    ...{ name: "picture", isAside: true, who: "reader", act: changePicture },
    address: () => "/settings/profile",
  },
  { name: "appearance", who: "reader", address: () => "/settings/appearance" },
  {
    ...{ name: "voice", who: "reader", act: joinVoice },
    address: ({ serverId, channels }) => `/servers/${serverId}/channels/${channelOf(channels, voiceRoom).id}`,
  },
  { name: "health", who: "reader", address: () => "/admin" },
  { name: "people", who: "reader", address: () => "/admin/people" },
  { name: "set-up", isEmpty: true, who: "nobody", address: () => "/" },
];

function groupAddress({ talks }: Town): string {
  return `/direct/${talks.get("opening")}`;
}

async function untilRoom({ page }: Scene): Promise<void> {
  await page.locator("main article").first().waitFor();
  await untilQuiet(page);
}

async function openPeople(scene: Scene): Promise<void> {
  await untilRoom(scene);
  await scene.page.getByRole("button", { name: /^(People|Personen)$/ }).click();
  await scene.page.getByRole("dialog").waitFor();
}

async function invite({ page, town, isPhone }: Scene): Promise<void> {
  if (isPhone) await page.goto(new URL(`/servers/${town.serverId}`, page.url()).href);
  await page.getByRole("button", { name: /^(Server menu|Menü des Servers)$/ }).click();
  await page.getByRole("menuitem", { name: /^(Invite people|Leute einladen)$/ }).click();
  await page.getByRole("dialog").getByRole("textbox").waitFor();
}

async function beginTalk(scene: Scene): Promise<void> {
  const { page } = scene;
  if (scene.isPhone) await page.goto(new URL("/direct", page.url()).href);
  await page.getByRole("button", { name: /^(New conversation|Neue Unterhaltung)$/ }).click();
  const who = page.getByRole("dialog").getByRole("combobox");
  await who.fill("ami");
  await page.getByRole("option").first().click();
  await who.fill("e");
  await page.getByRole("option").first().waitFor();
}

async function changePicture({ page }: Scene): Promise<void> {
  await page.getByRole("button", { name: /^(Change picture|Bild ändern)$/ }).click();
  const dialog = page.getByRole("dialog");
  const file = { name: "dial.png", mimeType: "image/png", buffer: await drawPhotograph("dial") };
  await dialog.locator("input[type=file]").setInputFiles(file);
  await dialog.getByRole("slider").waitFor();
  await untilQuiet(page);
}

/** A call comes while the reader writes; where no media server is, nothing rings. */
async function ringing(scene: Scene): Promise<void> {
  const { page, town } = scene;
  await untilThere(scene, "newest");
  await untilQuiet(page);
  if (!town.hasVoice) return;
  await page.getByRole("textbox", { name: /#/ }).fill("Put it on the bench by the window, I will");
  await town.people.oskar.done("POST", `/channels/${town.talks.get("oskar")}/call`);
  await page.getByRole("dialog").waitFor();
}

async function calling(scene: Scene): Promise<void> {
  const { page, town } = scene;
  await untilRoom(scene);
  if (!town.hasVoice) return;
  await page.getByRole("button", { name: /^(Call|Anrufen)$/ }).click();
  await page.getByRole("toolbar", { name: /Voice|Sprache/ }).waitFor();
  await page.waitForTimeout(1500);
}

async function untilThere({ page, town }: Scene, key: string): Promise<void> {
  await page.locator(saidIn(town, key)).waitFor();
}

/** Waits until the page has loaded its deferred parts. */
async function untilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(1500);
}

async function chat(scene: Scene): Promise<void> {
  const { page, town } = scene;
  await untilThere(scene, "newest");
  const typing = `/channels/${channelOf(town.channels, mainChannel).id}/typing`;
  for (const who of [town.people.mei, town.people.oskar]) await who.done("POST", typing);
  await page
    .getByText(/are typing|schreiben/)
    .first()
    .waitFor();
}

async function lookBack(scene: Scene): Promise<void> {
  await untilThere(scene, "the dial");
  // The requested row is highlighted for a moment.
  await scene.page.waitForTimeout(1500);
}

async function openSwitcher(scene: Scene): Promise<void> {
  await untilThere(scene, "newest");
  await untilQuiet(scene.page);
  await scene.page.keyboard.press("Control+k");
  await scene.page.getByRole("dialog").getByRole("combobox").fill("o");
}

async function openMenu(scene: Scene): Promise<void> {
  const { page, town, isPhone } = scene;
  await untilThere(scene, "newest");
  const row = page.locator(saidIn(town, "oskar asks"));
  if (isPhone) return press(page, saidIn(town, "oskar asks"));
  await page.locator(saidIn(town, "it hums")).hover();
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: /^(Reply|Antworten)$/ })
    .click();
  await page.keyboard.type("Mine had the same. Look at the ");
  await row.click({ button: "right", position: { x: 330, y: 44 } });
  await page.getByRole("menu").waitFor();
}

/** Long-presses a row, which opens its sheet. */
async function press(page: Page, selector: string): Promise<void> {
  const row = page.locator(selector);
  await row.scrollIntoViewIfNeeded();
  const { x = 0, y = 0, height = 0 } = (await row.boundingBox()) ?? {};
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: x + 120, y: y + height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await page.getByRole("dialog").waitFor();
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

async function openEmoji(scene: Scene): Promise<void> {
  const { page, town, isPhone } = scene;
  await untilThere(scene, "newest");
  await untilQuiet(page);
  if (isPhone) {
    await page.getByRole("button", { name: "Emoji" }).click();
  } else {
    await page.locator(saidIn(town, "oskar asks")).hover();
    await page
      .getByRole("toolbar")
      .getByRole("button", { name: /^(React|Reagieren)$/ })
      .click();
  }
  await page.getByRole("grid").waitFor();
}

async function openCard(scene: Scene): Promise<void> {
  const { page, isPhone } = scene;
  await untilThere(scene, "newest");
  const name = page.locator("article").getByRole("button", { name: "Mei Tanaka" }).last();
  if (isPhone) await name.tap();
  else await name.click();
  await page.getByRole("dialog").waitFor();
}

/** Cuts the socket, so that calls fail and written messages stay pending. */
async function loseConnection(scene: Scene): Promise<void> {
  const { page } = scene;
  await untilThere(scene, "newest");
  const box = page.getByRole("textbox", { name: /#/ });
  await cut(page);
  await page.getByRole("status", { name: /Connection|Verbindung/ }).waitFor();
  await box.fill("I have the meter here");
  await box.press("Enter");
  await box.fill("And the capacitor tester, if somebody finds the leads");
  await box.press("Enter");
  await page.locator("[data-state=pending]").nth(1).waitFor();
  await box.fill("The leads are");
}

async function cut(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.evaluate("globalThis.cutSockets()");
}

async function joinVoice({ page, town }: Scene): Promise<void> {
  if (!town.hasVoice) return;
  await page
    .getByRole("main")
    .getByRole("button", { name: /^(Join|Beitreten)$/ })
    .click();
  await page.getByRole("toolbar", { name: /Voice|Sprache/ }).waitFor();
  await page.getByRole("main").getByRole("listitem").nth(2).waitFor();
}

/** Joins the voice room on the pages of the other people. */
export async function talkIn({ page }: Pick<Scene, "page">): Promise<void> {
  await page.getByRole("main").getByRole("button", { name: "Join", exact: true }).click();
  await page.getByRole("toolbar", { name: "Voice" }).waitFor();
}
