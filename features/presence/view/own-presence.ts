// The user's own presence while the page is open: away after ten minutes without input, back on the next one, and the
// end of "do not disturb" when its chosen time is over.
import { useEffect } from "react";
import type { Chat } from "../../../client/chat.ts";
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { lastTouch, touches } from "./touched.ts";

export type ChosenStatus = "online" | "idle" | "dnd" | "invisible";

const awayAfterMs = 10 * 60_000;
/** While somebody uses the page it reports often enough that the server does not push to their other devices. */
const tellEachMs = 45_000;
const lookEachMs = 15_000;

/** When this browser last had input, in any of its windows. */
const touchedKey = "touched-at";
/** Set when the page, not the person, chose "away". */
const awayKey = "presence-away-by-itself";
/** When the chosen "do not disturb" ends. */
const untilKey = "presence-dnd-until";

/** Mounted once, while somebody is signed in. */
export function OwnPresence() {
  const { chat } = useHouse();
  useEffect(() => {
    const keeper = new PresenceKeeper(chat);
    const onTouch = () => keeper.touch();
    for (const each of touches) addEventListener(each, onTouch, { passive: true });
    const timer = setInterval(() => keeper.look(), lookEachMs);
    keeper.begin();
    return () => {
      clearInterval(timer);
      for (const each of touches) removeEventListener(each, onTouch);
    };
  }, [chat]);
  return null;
}

export class PresenceKeeper {
  readonly #chat: Chat;
  #keptAt = 0;
  #toldAt = Date.now();

  constructor(chat: Chat) {
    this.#chat = chat;
  }

  /** Counts input from before this was loaded; a later one seen by another window is kept. */
  begin(): void {
    keep(touchedKey, Math.max(lastTouch(), kept<number>(touchedKey) ?? 0));
    this.look();
  }

  touch(): void {
    const now = Date.now();
    // Storage is slow, and the time need not be exact to the second.
    if (now - this.#keptAt > 5000) {
      this.#keptAt = now;
      keep(touchedKey, now);
    }
    if (kept<boolean>(awayKey)) this.look();
  }

  look(): void {
    const now = Date.now();
    const idleMs = now - (kept<number>(touchedKey) ?? now);
    const status = chosenStatus(this.#chat);
    // Without a connection no status can be sent: the flag stays, and the next check sends it.
    if (status === "idle" && kept<boolean>(awayKey) && idleMs < awayAfterMs) {
      if (this.#say("online")) keep(awayKey, false);
    } else if (status === "online" && idleMs >= awayAfterMs) {
      if (this.#say("idle")) keep(awayKey, true);
    } else if (status === "dnd" && isOver(now)) {
      if (this.#say("online")) keep(untilKey, null);
    } else if (idleMs < tellEachMs && now - this.#toldAt >= tellEachMs && status !== "dnd") {
      // "Do not disturb" may come from the person's quiet hours: sending it would make it a lasting choice.
      this.#say(status);
    }
  }

  /** Returns whether the status was sent. */
  #say(status: ChosenStatus): boolean {
    if (!this.#chat.connection.say("PRESENCE_UPDATE", { status })) return false;
    this.#toldAt = Date.now();
    showOwn(this.#chat, status);
    return true;
  }
}

function isOver(now: number): boolean {
  const until = kept<number | null>(untilKey);
  return typeof until === "number" && now >= until;
}

/** A connected person who appears offline has chosen to be invisible. */
export function chosenStatus({ state }: Chat): ChosenStatus {
  const presence = state.copy?.user.presence ?? "online";
  return presence === "offline" ? "invisible" : presence;
}

/** Shows the choice here at once. `until`: when the page ends "do not disturb". */
export function choose(chat: Chat, status: ChosenStatus, until: number | null): void {
  keep(awayKey, false);
  keep(untilKey, status === "dnd" ? until : null);
  showOwn(chat, status);
}

function showOwn(chat: Chat, status: ChosenStatus): void {
  const presence = status === "invisible" ? "offline" : status;
  chat.change((copy) =>
    copy.user.presence === presence ? copy : { ...copy, user: { ...copy.user, presence } },
  );
}
