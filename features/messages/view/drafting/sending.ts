// Sends what a room's composer holds; files that are on their way are waited for, also when the room is left meanwhile.
import { create } from "zustand";
import type { Drafts } from "../../../../client/drafts.ts";
import type { Outbox } from "../../../../client/outbox.ts";
import type { Upload, Uploads } from "../../../../client/uploads.ts";
import { showToast } from "../../../../web/ui/loading/toast.ts";
import { currentWords } from "../../../../web/ui/words/words.ts";
import { useReplying } from "./replying.ts";

interface Parts {
  drafts: Drafts;
  uploads: Uploads;
  outbox: Outbox;
}

/** The rooms whose message waits for its files, and how to wait no longer. */
const useWaiting = create<{ stops: Readonly<Record<string, () => void>> }>(() => ({ stops: {} }));

export function useIsWaiting(channelId: string): boolean {
  return useWaiting(({ stops }) => channelId in stops);
}

/** What keeps a message from being sent; "files": they have to be taken out or tried again. */
type Obstacle = "empty" | "too long" | "files";

export function obstacleOf(text: string, uploads: readonly Upload[], most: number): Obstacle | undefined {
  if (uploads.some(({ state }) => state.is === "refused" || state.is === "failed")) return "files";
  if (lengthOf(text) > most) return "too long";
  return text.trim() === "" && uploads.length === 0 ? "empty" : undefined;
}

/** In code points, as the server counts; without what it cuts off. */
export function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text.trim()) count++;
  return count;
}

/** ":tada:" is sent as what it means. Which emoji there are is known once somebody has sent one so. */
const shortCode = /:[\p{L}\d+][\p{L}\d_+-]+:/u;
let withEmoji: ((text: string) => string) | undefined;
/** What is not known after so many milliseconds is sent as it was typed. */
const learningMs = 3000;

/** Nothing may stand in the way. Returns whether it was sent at once. */
export function send(parts: Parts, channelId: string): boolean {
  const { drafts, uploads } = parts;
  let isKnown = withEmoji !== undefined || !shortCode.test(drafts.get(channelId)?.text ?? "");
  const look = () => {
    const mine = uploads.of(channelId);
    if (!isKnown || isUnderWay(mine)) return false;
    stopWaiting(channelId);
    if (!mine.some(({ state }) => state.is !== "done")) post(parts, channelId);
    return true;
  };
  if (look()) return true;
  const stop = uploads.subscribe(look);
  useWaiting.setState(({ stops }) => ({ stops: { ...stops, [channelId]: stop } }));
  if (isKnown) return false;
  void learnEmoji().then(() => {
    isKnown = true;
    // Its writer may have taken it back meanwhile.
    if (useWaiting.getState().stops[channelId] === stop) look();
  });
  return false;
}

/** The same for a text that is not a draft: a correction. */
export async function spelled(text: string): Promise<string> {
  if (!withEmoji && shortCode.test(text)) await learnEmoji();
  return withEmoji?.(text) ?? text;
}

function learnEmoji(): Promise<unknown> {
  const learning = async () => {
    const { spelling } = await import("./codes.ts");
    withEmoji = await spelling();
  };
  return Promise.race([
    learning().catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, learningMs)),
  ]);
}

/** What was written stays to be changed. */
export function stopWaiting(channelId: string): void {
  useWaiting.getState().stops[channelId]?.();
  useWaiting.setState(({ stops: { [channelId]: _, ...stops } }) => ({ stops }));
}

function isUnderWay(uploads: readonly Upload[]): boolean {
  return uploads.some(({ state }) => state.is === "waiting" || state.is === "sending");
}

/** The box is emptied when the outbox holds the message: what fails until then leaves all of it there. */
function post({ drafts, uploads, outbox }: Parts, channelId: string): void {
  const text = (drafts.get(channelId)?.text ?? "").trim();
  const content = withEmoji?.(text) ?? text;
  const attachments = uploads
    .of(channelId)
    .flatMap(({ state }) => (state.is === "done" ? [state.attachment.url] : []));
  const replyTo = useReplying.getState().byChannel[channelId] ?? null;
  const isEmpty = content === "" && attachments.length === 0;
  const kept = isEmpty ? Promise.resolve() : handOver(outbox, { channelId, content, replyTo, attachments });
  if (!kept) return;
  useReplying.getState().stop(channelId);
  uploads.clear(channelId);
  drafts.drop(channelId, kept);
}

/** Returns what resolves once the message is kept; undefined where the outbox did not take it, which is said. */
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
