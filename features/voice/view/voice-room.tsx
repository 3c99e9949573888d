// The room of a voice channel, loaded when the first one is opened.
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { withWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";

export const VoiceRoom = lazily<{ channel: OwnChannel }>(
  async () => (await withWords("rest", import("./stage.tsx"))).default,
  ({ channel }) => <main id="messages" aria-label={channel.name} />,
);
