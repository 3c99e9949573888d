// Calls that ring, as far as only this page knows: its own one, and those that its reader has answered or declined.
import { create } from "zustand";
import type { RingingCall } from "../../../protocol/voice.ts";

/** The most that a call rings, in milliseconds. The page stops by itself, as it may miss the event of the end. */
export const ringForMs = 30_000;

/** A call of the reader, until the next one or until they leave its room. */
interface OwnRing {
  channelId: string;
  is: "ringing" | "declined" | "missed";
}

interface Ringing {
  own: OwnRing | undefined;
  /** Calls that do not ring here any more, as `keyOf` names them. */
  over: ReadonlySet<string>;
}

export const useRinging = create<Ringing>(() => ({ own: undefined, over: new Set() }));

/** Identifies a call that rings for the reader. */
export function keyOf(channelId: string, { until }: RingingCall): string {
  return `${channelId} ${until}`;
}

export function setOwn(own: OwnRing | undefined): void {
  useRinging.setState({ own });
}

export function stopHere(key: string): void {
  useRinging.setState(({ over }) => ({ over: new Set(over).add(key) }));
}

export function ringAgainHere(key: string): void {
  useRinging.setState(({ over }) => ({ over: new Set([...over].filter((each) => each !== key)) }));
}
