// The page tells by itself, while it is open, whether somebody touches this device, and ends "do not disturb" when its
// chosen time is over.
import { useEffect } from "react";
import type { Chat } from "../../../client/chat.ts";
import type { ConnectionState } from "../../../client/connection.ts";
import { is } from "../../../protocol/event.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { meUpdated } from "../../accounts/events.ts";
import { lastTouch, touches } from "./touched.ts";

export type ChosenStatus = "online" | "idle" | "dnd" | "invisible";

const idleAfterMs = 10 * 60_000;
/**
 * While somebody uses the page it reports often enough that the server does not push to their other devices: within 60
 * seconds, though it is looked at in steps, and a step may come a moment early.
 */
const tellEachMs = 30_000;
const lookEachMs = 15_000;

/** When this browser last had input, in any of its windows. */
const touchedKey = "touched-at";
/** When the chosen "do not disturb" ends. */
const untilKey = "presence-dnd-until";
/**
 * The end that this window kept or saw last. Another window keeps a newer one, with a newer choice, before the frames of
 * the choices in between are here.
 */
let seenEnd = runningEnd();

/** Mounted once, while somebody is signed in. */
export function OwnPresence() {
  const { chat } = useHouse();
  useEffect(() => {
    const keeper = new PresenceKeeper(chat);
    const onTouch = () => keeper.touch();
    for (const each of touches) addEventListener(each, onTouch, { capture: true, passive: true });
    const unsubscribe = chat.subscribe(() => keeper.changed());
    const unlisten = chat.listen((frame) => keeper.hear(frame));
    const timer = setInterval(() => keeper.look(), lookEachMs);
    keeper.begin();
    return () => {
      clearInterval(timer);
      unsubscribe();
      unlisten();
      for (const each of touches) removeEventListener(each, onTouch, true);
    };
  }, [chat]);
  return null;
}

export class PresenceKeeper {
  readonly #chat: Chat;
  #keptAt = 0;
  /** The connection on which the server was last told of the device. */
  #toldOn: ConnectionState | undefined;
  /** True if it was told then that nobody touches the device. */
  #toldIdle: boolean | undefined;
  #toldAt = 0;
  /** The choice that was known last. The first one counts as a change: it may have been made on another device. */
  #chosen: ChosenStatus = "dnd";

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** Counts input from before this was loaded; a later one seen by another window is kept. */
  begin(): void {
    keep(touchedKey, Math.max(lastTouch(), kept<number>(touchedKey) ?? 0));
    this.#follow();
    this.look();
  }

  /** Called when the state of the chat has changed: a new connection is told at once. */
  changed(): void {
    this.#follow();
    if (this.#chat.state.connection !== this.#toldOn) this.look();
  }

  /** A choice that another one follows at once is in no state: frames change it together. */
  hear(frame: ServerFrame): void {
    if (is(frame, meUpdated)) this.#follow(frame.data.presence_chosen);
  }

  touch(): void {
    const now = Date.now();
    // Storage is slow, and the time need not be exact to the second.
    if (now - this.#keptAt > 5000) {
      this.#keptAt = now;
      keep(touchedKey, now);
    }
    if (this.#toldIdle) this.look();
  }

  look(): void {
    const { connection, copy } = this.#chat.state;
    // A server of the release before this one would take what is told for a choice.
    if (connection.is !== "live" || copy?.user.presence_chosen === undefined) return;
    const now = Date.now();
    // A browser that refuses storage knows of this window alone.
    const idleMs = now - (kept<number>(touchedKey) ?? lastTouch());
    const isIdle = idleMs >= idleAfterMs;
    const isNews = connection !== this.#toldOn || isIdle !== this.#toldIdle;
    const isDue = idleMs < tellEachMs && now - this.#toldAt >= tellEachMs;
    if ((isNews || isDue) && this.#say({ status: isIdle ? "idle" : "online", auto: true })) {
      this.#toldOn = connection;
      this.#toldIdle = isIdle;
      this.#toldAt = now;
    }
    if (chosenStatus(this.#chat) === "dnd" && isOver(now) && this.#say({ status: "online" })) endAt(null);
    seenEnd = runningEnd();
  }

  /** Another choice, made anywhere, takes the end of "do not disturb" with it: a later one has its own. */
  #follow(chosen = this.#chat.state.copy?.user.presence_chosen): void {
    if (chosen === undefined) return;
    const before = this.#chosen;
    this.#chosen = chosen;
    if (before === "dnd" && chosen !== "dnd" && seenEnd !== null && seenEnd === runningEnd()) endAt(null);
  }

  /** Returns whether it was sent. */
  #say(data: { status: ChosenStatus; auto?: true }): boolean {
    return this.#chat.connection.say("PRESENCE_UPDATE", data);
  }
}

function isOver(now: number): boolean {
  const until = runningEnd();
  return until !== null && now >= until;
}

/** Returns when the page ends "do not disturb", in milliseconds like `Date.now`; null: it does not. */
export function runningEnd(): number | null {
  const until = kept<number | null>(untilKey);
  return typeof until === "number" ? until : null;
}

/** Returns what the person chose, whatever others see now. */
export function chosenStatus({ state }: Chat): ChosenStatus {
  return state.copy?.user.presence_chosen ?? "online";
}

/** Keeps when the page ends "do not disturb"; null: it does not. */
export function endAt(until: number | null): void {
  seenEnd = until;
  keep(untilKey, until);
}
