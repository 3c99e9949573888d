// The call that this browser is in: what views draw of it, and the choices for calls that are kept.
import { create } from "zustand";
import type { CallError } from "../../../client/call.ts";
import { keep, kept, onKeptElsewhere } from "../../../web/ui/browser/kept.ts";
import type { Channel } from "../../channels/contract.ts";

/** Why there is no call, or no microphone in it. */
export type Trouble =
  | { is: "refused by the server"; error: CallError }
  | { is: "media unreachable" | "put out" | "joined elsewhere" | "room closed" }
  | { is: "no microphone" | "microphone refused" | "microphone busy" | "needs https" }
  | { is: "no speaker" | "no screen" };

export interface Talker {
  id: string;
  name: string;
  isMe: boolean;
  isSpeaking: boolean;
  /** Their microphone is off, or they have none. */
  isMuted: boolean;
}

export interface SharedScreen {
  userId: string;
  name: string;
  isMine: boolean;
  /** Draws the screen into the element, until the function that it returns is called. */
  show(video: HTMLVideoElement): () => void;
}

export interface CallView {
  channel: Channel;
  is: "joining" | "joined" | "reconnecting" | "over";
  trouble: Trouble | undefined;
  talkers: readonly Talker[];
  screens: readonly SharedScreen[];
  isMuted: boolean;
  isDeafened: boolean;
  /** They may not speak here: they listen. */
  isListener: boolean;
  mayShare: boolean;
  isSharing: boolean;
  /** The browser plays nothing before somebody presses a button. */
  needsPress: boolean;
}

export const useCall = create<{ call: CallView | undefined }>(() => ({ call: undefined }));

export function changeCall(change: Partial<CallView>): void {
  useCall.setState(({ call }) => ({ call: call && { ...call, ...change } }));
}

interface Choices {
  microphone: string;
  speaker: string;
  /** The microphone is open only while the key is held. */
  isPushToTalk: boolean;
  /** As `KeyboardEvent.code` says it. */
  talkKey: string;
}

const key = "voice";
const byDefault: Choices = {
  microphone: "default",
  speaker: "default",
  isPushToTalk: false,
  talkKey: "F8",
};

const keptChoices = (): Choices => ({ ...byDefault, ...kept<Partial<Choices>>(key) });

export const useChoices = create<Choices>(keptChoices);
onKeptElsewhere(key, () => useChoices.setState(keptChoices()));

export function choose(change: Partial<Choices>): void {
  useChoices.setState(change);
  keep(key, useChoices.getState());
}

/** From 0 to 1. */
export function volumeOf(userId: string): number {
  return kept<number>(`${key}/volume/${userId}`) ?? 1;
}

export function keepVolume(userId: string, volume: number): void {
  keep(`${key}/volume/${userId}`, volume);
}
