// Chromium on this machine, and a software security key for a page in it.
import { existsSync } from "node:fs";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";

const whole = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Path of the browser; undefined where no Chromium is installed. The headless shell is the same engine without a
 * window, whose menus take three times as much processor time as a journey on the page.
 */
export const chromiumPath = installed("chromium-headless-shell", ...whole);

/** Path of the whole browser, or undefined. */
export const wholeChromiumPath = installed(...whole);

/** Flag for journeys that need the whole browser: the shell shows no notifications, and moves the mouse by itself. */
export const wholeBrowser = "--headless=new";

/** A flag of our own: scroll bars take up space, as for most people. Playwright hides them. */
export const barsTakeRoom = "--hearth-bars-take-room";

function installed(...names: string[]): string | undefined {
  return names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
}

/** A host name as used at home: its pages come without https, so browsers withhold some features. */
export const plainName = "chat.lan";

/**
 * The sandbox needs rights that root in a container lacks; only our own pages are opened. With the GPU enabled, a
 * machine without a graphics card would emulate one for every frame.
 */
const flags = ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${plainName} 127.0.0.1`];

export function launchChromium(...more: string[]): Promise<Browser> {
  const executablePath = more.includes(wholeBrowser) ? wholeChromiumPath : chromiumPath;
  if (!executablePath) throw new Error("there is no Chromium here");
  return chromium.launch({
    ...{ executablePath, args: [...flags, ...more], timeout: 120_000 },
    ignoreDefaultArgs: more.includes(barsTakeRoom) ? ["--hide-scrollbars"] : [],
  });
}

/** Shared browsers by their flags. */
const shared = new Map<string, Promise<Browser>>();

/** A browser with these flags for all test files of this process. Callers call `closeContexts` when they are done. */
export async function sharedChromium(...more: string[]): Promise<Browser> {
  const key = more.join(" ");
  const browser = await shared.get(key)?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  const launched = launchChromium(...more);
  shared.set(key, launched);
  return launched;
}

/** Closes all contexts of a shared browser: a test leaves nothing else there. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** A platform authenticator for this page; its user verifies by a fingerprint, or cannot. */
export class BuiltInKey {
  readonly #session: CDPSession;
  readonly #authenticatorId: string;

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session;
    this.#authenticatorId = authenticatorId;
  }

  static async plugInto(page: Page): Promise<BuiltInKey> {
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new BuiltInKey(session, authenticatorId);
  }

  async recognisesOwner(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", {
      authenticatorId: this.#authenticatorId,
      isUserVerified,
    });
  }

  /** Ids of its passkeys, base64url. */
  async ids(): Promise<string[]> {
    const authenticatorId = this.#authenticatorId;
    const { credentials } = await this.#session.send("WebAuthn.getCredentials", { authenticatorId });
    return credentials.map((each) => Buffer.from(each.credentialId, "base64").toString("base64url"));
  }
}
