// Doubles of the services that the server under test uses: a mail server, a provider of GIFs and a media service.
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

  /** Settings with which the server cannot answer that a service is not configured. */
  get settings(): Record<string, string> {
    return { ...this.mail.settings, ...this.media.settings, ...this.#gifs.settings };
  }

  async close(): Promise<void> {
    this.media.stop();
    this.#gifs.stop();
    await this.mail.close();
  }
}
