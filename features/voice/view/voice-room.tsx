// The room of a voice channel, loaded with the first one that is opened.
import { lazily } from "../../../web/ui/browser/lazily.ts";
import type { Channel } from "../../channels/contract.ts";

export const VoiceRoom = lazily<{ channel: Channel }>(
  async () => (await import("./stage.tsx")).default,
  ({ channel }) => <main aria-label={channel.name} />,
);
