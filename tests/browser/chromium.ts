// The browser of this machine, and a page in it whose security key is made of software.
import { existsSync } from "node:fs";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";

const whole = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Undefined where no Chromium is installed. The shell is the same engine without a window, whose menus take three times
 * as much of the processor as a journey on the page.
 */
export const chromiumPath = installed("chromium-headless-shell", ...whole);

/** The same of the whole browser. */
export const wholeChromiumPath = installed(...whole);

/** The flag of journeys that need the whole browser: the shell shows no notification, and moves a mouse by itself. */
export const wholeBrowser = "--headless=new";

/** A flag of our own: scroll bars take room, as most people's do. Playwright hides them. */
export const barsTakeRoom = "--hearth-bars-take-room";

function installed(...names: string[]): string | undefined {
  return names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
}

/** A name of this machine as there are at home: pages of it come without https, and browsers keep things from them. */
export const plainName = "chat.lan";

/**
 * Its sandbox needs rights that root in a container does not have; it opens our own pages only. Without a graphics card
 * it would imitate one for every frame.
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

/** By their flags. */
const shared = new Map<string, Promise<Browser>>();

/** One with these flags for all test files of this process, which ends with it. Who is done with it calls `closeContexts`. */
export async function sharedChromium(...more: string[]): Promise<Browser> {
  const key = more.join(" ");
  const browser = await shared.get(key)?.catch(() => undefined);
  if (browser?.isConnected()) return browser;
  const launched = launchChromium(...more);
  shared.set(key, launched);
  return launched;
}

/** Closes what a file has opened in the browser that it shares: its contexts are all that a test leaves there. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/** The key that is built into the machine of this page; the person at it has a finger, or not. */
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

  /** Ids of the passkeys in it, base64url. */
  async ids(): Promise<string[]> {
    const authenticatorId = this.#authenticatorId;
    const { credentials } = await this.#session.send("WebAuthn.getCredentials", { authenticatorId });
    return credentials.map((each) => Buffer.from(each.credentialId, "base64").toString("base64url"));
  }
}
