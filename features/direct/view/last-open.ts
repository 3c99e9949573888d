// The conversation that was open last in this browser: the one in which the direct conversations open.
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import type { Conversations, OwnConversation } from "../state.ts";

const key = "last/direct";

/** Returns the last open conversation; undefined if it is not in the list any more. */
export function lastOpenIn(conversations: Conversations): OwnConversation | undefined {
  const last = conversations.get(kept<string>(key) ?? "");
  return last?.isListed ? last : undefined;
}

export function noteOpen(id: string): void {
  keep(key, id);
}

/** The conversation is about to leave the list, and must not be opened anew meanwhile. */
export function forgetOpen(id: string): void {
  if (kept<string>(key) === id) keep(key, "");
}
