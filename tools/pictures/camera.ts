// The browser that takes the screenshots: sets theme and size, and serves avatars and icons in place of other hosts.
import type { Browser, BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { until } from "../../tests/house/machine/waiting.ts";
import { people, type Who } from "./community.ts";
import { drawFace, drawIcon } from "./drawings.ts";
import { emailOf } from "./neighbour.ts";

export interface Look {
  theme: "light" | "dark" | "contrast";
  width: number;
  height: number;
  density: "compact" | undefined;
  language: "en" | "de";
  textSize: number | undefined;
  isMirrored: boolean;
}

/** Frames narrower than this (in CSS pixels) are phones, whose screenshots have two pixels per CSS pixel. */
const narrowest = 720;

export function isPhone({ width }: Look): boolean {
  return width < narrowest;
}

export async function contextFor(browser: Browser, look: Look, token?: string): Promise<BrowserContext> {
  const { width, height, theme } = look;
  const phone = isPhone(look);
  const context = await browser.newContext({
    ...{ viewport: { width, height }, deviceScaleFactor: phone ? 2 : 1, isMobile: phone, hasTouch: phone },
    ...{ locale: look.language === "de" ? "de-DE" : "en-GB", timezoneId: "UTC" },
    ...{ colorScheme: theme === "light" ? "light" : "dark", serviceWorkers: "block" },
    permissions: ["microphone"],
  });
  context.setDefaultTimeout(30_000);
  await context.addInitScript(settled, {
    look: { theme, density: look.density, language: look.language, textSize: look.textSize },
    isMirrored: look.isMirrored,
  });
  await context.route("**/api/v1/pictures?**", async (route) => {
    const bytes = await pictureAt(new URL(route.request().url()).searchParams.get("url") ?? "");
    if (bytes) await route.fulfill({ body: bytes, contentType: "image/png" });
    else await route.fulfill({ status: 404 });
  });
  if (token) await signIn(context, token);
  return context;
}

/** The browser globals that the script below uses. */
interface PageOfBrowser {
  location: { protocol: string };
  localStorage: { setItem(key: string, value: string): void };
  document: {
    documentElement: { dir: string } | null;
    addEventListener(type: string, run: () => void): void;
  };
  WebSocket: new (...about: unknown[]) => object;
  cutSockets(): void;
}

/** Runs in the page, before its own scripts. */
function settled({ look, isMirrored }: { look: unknown; isMirrored: boolean }): void {
  const page = globalThis as unknown as PageOfBrowser;
  const { localStorage, document, location } = page;
  // The blank page before the first navigation.
  if (location.protocol === "about:") return;
  localStorage.setItem("hearth.look", JSON.stringify(look));
  localStorage.setItem("hearth.push.offered", "true");
  const sockets: { close(): void }[] = [];
  page.WebSocket = class extends page.WebSocket {
    constructor(...about: unknown[]) {
      super(...about);
      sockets.push(this as unknown as { close(): void });
    }
  };
  page.cutSockets = () => {
    for (const socket of sockets) socket.close();
  };
  if (isMirrored)
    document.addEventListener("readystatechange", () => {
      if (document.documentElement) document.documentElement.dir = "rtl";
    });
}

async function signIn(context: BrowserContext, token: string): Promise<void> {
  await context.addCookies([
    { name: "app_session", value: token, domain: "127.0.0.1", path: "/", httpOnly: true, sameSite: "Lax" },
  ]);
}

async function pictureAt(address: string): Promise<Buffer | undefined> {
  const { hostname, pathname } = new URL(address);
  const [name = ""] = pathname.slice(1).split(".");
  if (hostname === "icons.example") return drawIcon(name as "moon");
  const who = (Object.keys(people) as Who[]).find((each) => hashOf(each) === name);
  return who && drawFace(who);
}

function hashOf(who: Who): string {
  return new Bun.CryptoHasher("sha256").update(emailOf(who)).digest("hex");
}

/** Waits until all fonts, pictures and overlays are shown, and all animations are over. */
export async function untilStill(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  // The title font is fetched when the page is idle.
  const hasTitles = `[...document.fonts].some(({ family, status }) => /Literata/.test(family) && status === "loaded")`;
  await until(() => page.evaluate<boolean>(hasTitles), "the face of titles did not come");
  // On a phone a dialog with a field is transparent until the keyboard has opened, or is known not to.
  const isShown = `[...document.querySelectorAll("[role=dialog]")].every((each) => each.checkVisibility({ opacityProperty: true }))`;
  await until(() => page.evaluate<boolean>(isShown), "a dialog stays transparent");
  await page.evaluate(`Promise.all(document.getAnimations()
    .filter((each) => each.effect.getComputedTiming().endTime !== Infinity)
    .map((each) => each.finished.catch(() => undefined)))`);
}

export async function photograph(page: Page, path: string): Promise<number> {
  // Uses CDP: Playwright's screenshot changes the size of a phone's page, which closes open overlays.
  const session = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const scale = await page.evaluate<number>("devicePixelRatio");
  const clip = { x: 0, y: 0, width, height, scale };
  const { data } = await session.send("Page.captureScreenshot", { format: "png", clip });
  const drawn = Buffer.from(data, "base64");
  const { size } = await sharp(drawn).webp({ quality: 82, effort: 6 }).toFile(path);
  return size;
}
