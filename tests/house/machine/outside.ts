// The services outside of Hearth that some operations need, set up for a test file as doubles.
import { afterAll } from "bun:test";
import { GifProviderDouble } from "../../doubles/gif-provider.ts";
import { LiveKitDouble } from "../../doubles/livekit.ts";

/** With the settings by which a house knows them. Behind the mail server's address is nobody: mails are sent later. */
export function outsideServices(): { media: LiveKitDouble; settings: Record<string, string> } {
  const [media, pictures] = [new LiveKitDouble(), new GifProviderDouble()];
  afterAll(() => Promise.all([media.stop(), pictures.stop()]));
  const settings = {
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "hearth@house.example",
    LOG_LEVEL: "silent",
    ...media.settings,
    ...pictures.settings,
  };
  return { media, settings };
}
