// The sound of what one is told of: made by the browser, so no file has to come.
import { useEffect } from "react";
import type { Copy } from "../../../client/copy.ts";
import { is } from "../../../protocol/event.ts";
import { channelIn, useHouse } from "../../../web/ui/house.tsx";
import { kept } from "../../../web/ui/kept.ts";
import type { SharedMessage } from "../../messages/contract.ts";
import { messageCreated } from "../../messages/events.ts";
import { levelIn } from "./levels.ts";

export const soundKey = "sound";

/** In hertz: a fifth, low and short. */
const tones = [392, 587];
const toneSeconds = 0.18;
const loudest = 0.08;
/** Several at once are one sound. */
const pauseMs = 2000;

let context: AudioContext | undefined;

/** Browsers make no sound before somebody has touched the page; then it is silent. */
export function playSound(): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  const { currentTime, destination } = context;
  tones.forEach((frequency, i) => {
    if (!context) return;
    const begin = currentTime + i * toneSeconds * 0.6;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(loudest, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + toneSeconds);
    tone.connect(volume).connect(destination);
    tone.start(begin);
    tone.stop(begin + toneSeconds);
  });
}

/** Sounds for what comes while the reader looks elsewhere. It is there as long as somebody is signed in. */
export function Sounds(): null {
  const { chat } = useHouse();
  useEffect(() => {
    let lastAt = 0;
    return chat.listen((frame) => {
      if (!is(frame, messageCreated) || document.hasFocus() || !kept<boolean>(soundKey)) return;
      const { copy } = chat.state;
      if (!copy || Date.now() - lastAt < pauseMs || !isTold(copy, frame.data, Date.now())) return;
      lastAt = Date.now();
      playSound();
    });
  }, [chat]);
  return null;
}

/** Whether the reader wants to be told of a message. */
export function isTold(copy: Copy, message: SharedMessage, now: number): boolean {
  if (message.author.id === copy.user.id || copy.blocked.includes(message.author.id)) return false;
  const serverId = channelIn(copy, message.channel_id)?.server_id;
  if (!serverId) return false;
  const level = levelIn(copy.notificationSettings, { serverId, channelId: message.channel_id }, now);
  if (level !== "mentions") return level === "all";
  return callsReader(copy, serverId, message);
}

export function callsReader(copy: Copy, serverId: string, { mentions }: SharedMessage): boolean {
  const roles = copy.servers.find(({ id }) => id === serverId)?.role_ids ?? [];
  return (
    mentions.everyone ||
    mentions.user_ids.includes(copy.user.id) ||
    mentions.role_ids.some((id) => roles.includes(id))
  );
}
