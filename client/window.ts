// The loaded messages of a channel: the newest ones, and separately those around a position further up.
import type { Message } from "../features/messages/contract.ts";

/** Messages without a gap, newest first. */
export interface Span {
  messages: readonly Message[];
  /** True if the channel has older messages that are not loaded. */
  hasOlder: boolean;
}

/** At least one of the two spans is present. */
export interface Window {
  /** Ends with the newest message of all. */
  live?: Span;
  /** The span around a jump's target, while it does not touch `live`: newer messages are missing in between. */
  far?: Span;
  /** The reader is further up: the old end, where they may be, is kept. */
  isHeld?: boolean;
  /** Events were missed: until it is refetched no new message is appended, as others may lie between. */
  isStale?: boolean;
}

const nothing: Span = { messages: [], hasOlder: false };

/** Returns the shown span: the position further up if there is one. */
export function shownOf({ live, far }: Window): Span {
  return far ?? live ?? nothing;
}

/** The most messages of one span. Scrolling on fetches dropped ones again. */
export const spanMost = 500;
/** How many of the newest messages stay when the channel is not shown. */
const spanLeast = 50;

/**
 * Returns the window with the page before `cursor`, the oldest message shown. Returns the same window if that is no
 * longer its oldest message, after a jump or its deletion: the page would leave a gap. Unless somebody reads further
 * up, a long window does not grow: its old end, where the reader is, would be dropped.
 */
export function withOlder(window: Window, cursor: string, { messages, hasOlder }: Span): Window {
  const shown = shownOf(window);
  if (shown.messages.at(-1)?.id !== cursor) return window;
  const longer = { messages: joined(shown.messages, messages), hasOlder };
  if (window.far) return { ...window, far: { ...longer, messages: longer.messages.slice(-spanMost) } };
  if (longer.messages.length <= spanMost) return { ...window, live: longer };
  if (!window.isHeld) return window;
  // The reader is at the old end: from now on the newest messages are a separate span.
  return apart(window, longer);
}

/** The same with the page after `cursor`, the newest message of the far span; `hasNewer`: there are more after it. */
export function withNewer(
  window: Window,
  cursor: string,
  page: readonly Message[],
  hasNewer: boolean,
): Window {
  const { live, far } = window;
  if (far?.messages[0]?.id !== cursor) return window;
  const longer = { ...far, messages: joined(page, far.messages) };
  const one = touching(live, longer, hasNewer);
  return one ? { ...held(window), live: one } : { ...window, far: atMost(longer) };
}

/** Returns the window that shows a page around a message, newest first. */
export function withAround(before: Window | undefined, page: Span, hasNewer: boolean): Window {
  // Newest messages that may be outdated are adjacent to nothing.
  const window = before?.isStale ? undefined : before;
  const one = touching(window?.live, page, hasNewer);
  return one ? { live: one, isHeld: true } : { ...window, far: page, isHeld: true };
}

/** Returns the window with the newest messages beside those that are shown; the same one if it has them already. */
export function withLive(before: Window | undefined, live: Span): Window {
  return before?.live ? before : before?.far ? withAround({ live }, before.far, true) : { live };
}

/** Returns the window that shows the newest messages again. */
export function atPresent(window: Window): Window {
  return window.far && window.live && !window.isStale ? { live: newestOf(window.live) } : window;
}

/** Returns the window for a channel that is not shown: the newest messages alone; undefined if they are not loaded. */
export function atRest({ live }: Window): Window | undefined {
  return live && { live: live.messages.length > spanLeast ? newestOf(live) : live };
}

/** Merges both spans if they overlap, or nothing lies between them. */
function touching(live: Span | undefined, far: Span, hasNewer: boolean): Span | undefined {
  if (!live) return hasNewer ? undefined : far;
  const oldest = live.messages.at(-1)?.id;
  const newest = far.messages[0]?.id;
  const meets = oldest !== undefined && newest !== undefined && newest >= oldest;
  if (hasNewer && !meets) return undefined;
  const end = far.messages.at(-1)?.id;
  const reachesFurther = end !== undefined && (oldest === undefined || end < oldest);
  return {
    messages: joined(live.messages, far.messages),
    hasOlder: reachesFurther ? far.hasOlder : live.hasOlder && (end !== oldest || far.hasOlder),
  };
}

/** Merges both lists, newest first, without duplicates; the first list's version wins. */
function joined(first: readonly Message[], second: readonly Message[]): readonly Message[] {
  const known = new Set(first.map(({ id }) => id));
  const all = [...first, ...second.filter(({ id }) => !known.has(id))];
  return all.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** Splits a long span: its old end for the reader, and the newest messages. */
function apart(window: Window, long: Span): Window {
  return {
    ...held(window),
    live: newestOf(long),
    far: { ...long, messages: long.messages.slice(-spanMost) },
  };
}

function held({ isHeld, isStale }: Window): Pick<Window, "isHeld" | "isStale"> {
  return { ...(isHeld && { isHeld }), ...(isStale && { isStale }) };
}

function newestOf({ messages, hasOlder }: Span): Span {
  return { messages: messages.slice(0, spanLeast), hasOlder: hasOlder || messages.length > spanLeast };
}

/** Keeps the newest messages of a span that grows at its new end. */
function atMost(span: Span): Span {
  if (span.messages.length <= spanMost) return span;
  return { messages: span.messages.slice(0, spanMost), hasOlder: true };
}

/** Returns the window with `after` applied to each of its messages. */
export function withEach({ live, far, ...rest }: Window, after: (message: Message) => Message): Window {
  const swapped = (span: Span) => ({ ...span, messages: span.messages.map(after) });
  return { ...rest, ...(live && { live: swapped(live) }), ...(far && { far: swapped(far) }) };
}

/** Returns the window with its messages changed by an event; new ones are added to the newest span only. */
export function windowAfter(
  window: Window,
  isNew: boolean,
  after: (messages: readonly Message[]) => readonly Message[],
): Window {
  const live = window.live && !(isNew && window.isStale) ? changed(window.live, after) : window.live;
  const far = window.far && !isNew ? changed(window.far, after) : window.far;
  if (live === window.live && far === window.far) return window;
  // Twice as many, so that the reader is not among the newest, of which few stay.
  if (window.isHeld && live && !far && live.messages.length >= 2 * spanMost) return apart(window, live);
  const most = far ? spanLeast : window.isHeld ? 2 * spanMost : spanMost;
  return { ...held(window), ...(live && { live: bounded(live, most) }), ...(far && { far }) };
}

function changed(span: Span, after: (messages: readonly Message[]) => readonly Message[]): Span {
  const messages = after(span.messages);
  return messages === span.messages ? span : { ...span, messages };
}

/** Trims in steps, so that a busy channel does not lose its oldest row with each new one. */
function bounded(span: Span, most: number): Span {
  if (span.messages.length < most + spanLeast) return span;
  return { messages: span.messages.slice(0, most), hasOlder: true };
}
