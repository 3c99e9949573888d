// Sends the content of a channel's composer; waits for running uploads, even if the channel is left meanwhile.
import { create } from "zustand";
import type { Drafts } from "../../../../client/drafts.ts";
import type { Outbox } from "../../../../client/outbox.ts";
import type { Upload, Uploads } from "../../../../client/uploads.ts";
import { sleep } from "../../../../web/ui/browser/sleep.ts";
import { showToast } from "../../../../web/ui/loading/toast.ts";
import { currentWords } from "../../../../web/ui/words/words.ts";
import { isUnderWay } from "../../../files/view/uploads.ts";
import { useReplying } from "./replying.ts";

interface Parts {
  drafts: Drafts;
  uploads: Uploads;
  outbox: Outbox;
}

/** The channels whose message waits for its files, and how to cancel each wait. */
const useWaiting = create<{ stops: Readonly<Record<string, () => void>> }>(() => ({ stops: {} }));

export function useIsWaiting(channelId: string): boolean {
  return useWaiting(({ stops }) => channelId in stops);
}

/** Why a message cannot be sent; "files": they have to be removed or retried. */
type Obstacle = "empty" | "too long" | "files";

export function obstacleOf(text: string, uploads: readonly Upload[], most: number): Obstacle | undefined {
  if (notSent(uploads) > 0) return "files";
  if (lengthOf(text) > most) return "too long";
  return text.trim() === "" && uploads.length === 0 ? "empty" : undefined;
}

/** Returns how many files were refused or have failed. */
export function notSent(uploads: readonly Upload[]): number {
  return uploads.filter(({ state }) => state.is === "refused" || state.is === "failed").length;
}

/** Length in code points, trimmed, as the server counts. */
export function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text.trim()) count++;
  return count;
}

/** ":tada:" is sent as its emoji. The emoji list is loaded when a short code is first sent. */
const shortCode = /:[\p{L}\d+][\p{L}\d_+-]+:/u;
let withEmoji: ((text: string) => string) | undefined;
/** A list that takes longer than this, in milliseconds, to load leaves the text as typed. */
const learningMs = 3000;

/** Requires that there is no obstacle. Returns whether the message was sent at once. */
export function send(parts: Parts, channelId: string): boolean {
  const { drafts, uploads } = parts;
  const replyTo = useReplying.getState().byChannel[channelId];
  let isKnown = withEmoji !== undefined || !shortCode.test(drafts.get(channelId)?.text ?? "");
  const look = () => {
    const mine = uploads.of(channelId);
    if (!isKnown || mine.some(isUnderWay)) return false;
    stopWaiting(channelId);
    if (notSent(mine) === 0) post(parts, channelId, replyTo);
    else showToast({ text: currentWords().composer.filesFailed, isAlert: true });
    return true;
  };
  if (look()) return true;
  const stop = uploads.subscribe(look);
  useWaiting.setState(({ stops }) => ({ stops: { ...stops, [channelId]: stop } }));
  if (isKnown) return false;
  void learnEmoji().then(() => {
    isKnown = true;
    // Its author may have cancelled it meanwhile.
    if (useWaiting.getState().stops[channelId] === stop) look();
  });
  return false;
}

/** Expands short codes in a text that is no draft: an edit. */
export async function spelled(text: string): Promise<string> {
  if (!withEmoji && shortCode.test(text)) await learnEmoji();
  return withEmoji?.(text) ?? text;
}

function learnEmoji(): Promise<unknown> {
  const learning = async () => {
    const { spelling } = await import("./codes.ts");
    withEmoji = await spelling();
  };
  return Promise.race([learning().catch(() => {}), sleep(learningMs)]);
}

/** Cancels the wait; the text stays in the box. */
export function stopWaiting(channelId: string): void {
  useWaiting.getState().stops[channelId]?.();
  useWaiting.setState(({ stops: { [channelId]: _, ...stops } }) => ({ stops }));
}

/**
 * The box is cleared once the outbox holds the message: an earlier failure leaves all of it there. `asked`: the message
 * that it replied to when it was sent off. One that was chosen since is for the next message.
 */
function post({ drafts, uploads, outbox }: Parts, channelId: string, asked: string | undefined): void {
  const text = (drafts.get(channelId)?.text ?? "").trim();
  const content = withEmoji?.(text) ?? text;
  const attachments = uploads
    .of(channelId)
    .flatMap(({ state }) => (state.is === "done" ? [state.attachment.url] : []));
  const { byChannel, stop } = useReplying.getState();
  const chosen = byChannel[channelId];
  const replyTo = (chosen && asked) ?? null;
  const isEmpty = content === "" && attachments.length === 0;
  const kept = isEmpty ? Promise.resolve() : handOver(outbox, { channelId, content, replyTo, attachments });
  if (!kept) return;
  uploads.clear(channelId);
  drafts.drop(channelId, kept);
  if (chosen === asked) stop(channelId);
  else if (chosen) drafts.change(channelId, { replyTo: chosen });
}

/** Returns a promise that resolves once the message is stored; undefined if the outbox failed, which is reported. */
export function handOver(
  outbox: Outbox,
  message: Parameters<Outbox["add"]>[0],
): ReturnType<Outbox["add"]> | undefined {
  try {
    return outbox.add(message);
  } catch (error) {
    reportError(error);
    showToast({ text: currentWords().composer.notTaken, isAlert: true });
    return undefined;
  }
}
