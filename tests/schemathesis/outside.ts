// What lies outside of the server that is tried: a mail server, a provider of GIFs and a media service, all doubles.
import { GifProviderDouble } from "../doubles/gif-provider.ts";
import { LiveKitDouble } from "../doubles/livekit.ts";
import { MailBox } from "../house/servers/mail-box.ts";

export class Outside {
  readonly mail: MailBox;
  readonly media = new LiveKitDouble();
  readonly #gifs = new GifProviderDouble();

  private constructor(mail: MailBox) {
    this.mail = mail;
  }

  static async open(): Promise<Outside> {
    return new Outside(await MailBox.open());
  }

  /** With these, nothing is left that a server could say it is not set up for. */
  get settings(): Record<string, string> {
    return { ...this.mail.settings, ...this.media.settings, ...this.#gifs.settings };
  }

  async close(): Promise<void> {
    this.media.stop();
    this.#gifs.stop();
    await this.mail.close();
  }
}
