// Doubles of the outside services that some operations need, set up for one test file.
import { afterAll } from "bun:test";
import { GifProviderDouble } from "../../doubles/gif-provider.ts";
import { LiveKitDouble } from "../../doubles/livekit.ts";

/** Starts doubles, with a house's settings for them. Nothing listens on the SMTP port: mail stays queued. */
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
