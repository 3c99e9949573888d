// The current call of this browser: state for its views, and stored preferences for calls.
import { create } from "zustand";
import type { CallError } from "../../../client/call.ts";
import { keep, kept, onKeptElsewhere } from "../../../web/ui/browser/kept.ts";
import type { OwnChannel } from "../../channels/state.ts";

/** Why there is no call, or why it has no microphone. */
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
  /** True if their microphone is off or missing. */
  isMuted: boolean;
}

export interface SharedScreen {
  userId: string;
  name: string;
  isMine: boolean;
  /** Renders the screen into the element until the returned function is called. */
  show(video: HTMLVideoElement): () => void;
}

export interface CallView {
  channel: OwnChannel;
  is: "joining" | "joined" | "reconnecting" | "over";
  trouble: Trouble | undefined;
  talkers: readonly Talker[];
  screens: readonly SharedScreen[];
  isMuted: boolean;
  isDeafened: boolean;
  /** The user may not speak here, and only listens. */
  isListener: boolean;
  mayShare: boolean;
  isSharing: boolean;
  /** The browser plays no sound before the user presses a button. */
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
  /** A `KeyboardEvent.code`. */
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

/** Returns the volume of a person, from 0 to 1. */
export function volumeOf(userId: string): number {
  return kept<number>(`${key}/volume/${userId}`) ?? 1;
}

export function keepVolume(userId: string, volume: number): void {
  keep(`${key}/volume/${userId}`, volume);
}
