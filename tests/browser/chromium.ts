// The browser of this machine, and a page in it whose security key is made of software.
import { existsSync } from "node:fs";
import { type Browser, type CDPSession, chromium, type Page } from "playwright-core";

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Undefined where no Chromium is installed. */
export const chromiumPath = places.find((path) => existsSync(path));

export function launchChromium(...more: string[]): Promise<Browser> {
  if (!chromiumPath) throw new Error("there is no Chromium here");
  // Its sandbox needs rights that root in a container does not have; it opens our own pages only.
  return chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox", ...more], timeout: 30_000 });
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
