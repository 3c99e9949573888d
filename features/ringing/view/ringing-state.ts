// Calls that ring, as far as only this page knows: its own one, and those that its reader has answered or declined.
import { create } from "zustand";
import type { RingingCall } from "../../../protocol/voice.ts";
import type { RingingEnded } from "../contract.ts";

/** The most that a call rings, in milliseconds. The page stops by itself, as it may miss the event of the end. */
export const ringForMs = 30_000;

/** A call of the reader, until the next one or until they leave its room. */
export interface OwnRing {
  channelId: string;
  is: "ringing" | "declined" | "missed";
}

interface Ringing {
  own: OwnRing | undefined;
  /** The conversation that the reader calls, until the server has answered. */
  startingId: string | undefined;
  /** Calls that do not ring here any more, as `keyOf` names them. */
  over: ReadonlySet<string>;
}

export const useRinging = create<Ringing>(() => ({
  own: undefined,
  startingId: undefined,
  over: new Set(),
}));

/** Identifies a call that rings for the reader. */
export function keyOf(channelId: string, { until }: RingingCall): string {
  return `${channelId} ${until}`;
}

export function setOwn(own: OwnRing | undefined): void {
  useRinging.setState({ own });
}

/** Returns what is left of the reader's call after its end; undefined when there is nothing to say. */
export function ownAfter(channelId: string, reason: RingingEnded["reason"]): OwnRing | undefined {
  return reason === "declined" || reason === "missed" ? { channelId, is: reason } : undefined;
}

export function setStarting(startingId: string | undefined): void {
  useRinging.setState({ startingId });
}

export function stopHere(key: string): void {
  useRinging.setState(({ over }) => ({ over: new Set(over).add(key) }));
}

export function ringAgainHere(key: string): void {
  useRinging.setState(({ over }) => ({ over: new Set([...over].filter((each) => each !== key)) }));
}
