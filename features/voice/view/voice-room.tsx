// The room of a voice channel, loaded with the first one that is opened.
import { Suspense } from "react";
import { lazily } from "../../../web/ui/lazily.ts";
import type { Channel } from "../../channels/contract.ts";

const Stage = lazily(() => import("./stage.tsx"));

export function VoiceRoom({ channel }: { channel: Channel }) {
  return (
    <Suspense fallback={<main aria-label={channel.name} />}>
      <Stage channel={channel} />
    </Suspense>
  );
}
