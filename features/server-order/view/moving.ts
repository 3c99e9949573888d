// Moves a server among one's own: at once on the page, soon at the server, and back when that refuses.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import { ready } from "../../../client/ready.ts";
import { is } from "../../../protocol/event.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { beforeSigningOut } from "../../../web/ui/session/leaving.ts";
import type { Words } from "../../../web/words/en.ts";
import { setServerOrder } from "../calls.ts";
import { serverOrderUpdated } from "../events.ts";
import { inOrder } from "../state.ts";

/** The pause after the last move before the order is sent, in milliseconds: a tab is moved by many steps. */
const restMs = 300;

/** The moves that the server has not confirmed. */
let moving: Moving | undefined;

/** Moves a server to a place, counted from 0, and announces it. Returns false if it is there already. */
export function moveServer(chat: Chat, id: string, place: number, words: Words["serverOrder"]): boolean {
  const { servers = [] } = chat.state.copy ?? {};
  const now = servers.map((server) => server.id);
  const to = Math.max(0, Math.min(place, now.length - 1));
  const name = servers.find((server) => server.id === id)?.name;
  if (name === undefined || now.indexOf(id) === to) return false;
  const ids = now.filter((each) => each !== id).toSpliced(to, 0, id);
  moving ??= new Moving(chat, now, words.notMoved);
  moving.to(ids);
  announce(words.moved(name, to + 1, ids.length));
  return true;
}

/** Moves a server by one place. */
export function moveByStep(chat: Chat, id: string, step: 1 | -1, words: Words["serverOrder"]): boolean {
  const { servers = [] } = chat.state.copy ?? {};
  return moveServer(chat, id, servers.findIndex((server) => server.id === id) + step, words);
}

class Moving {
  readonly #chat: Chat;
  /** Shown when the server could not be reached. */
  readonly #failed: string;
  /** The order on the page. */
  #ids: readonly string[];
  /** The order of the server, as far as is known: the page goes back to it. */
  #known: readonly string[];
  /** The order that is under way, until its answer or its event is there. */
  #sent: readonly string[] | undefined;
  #last = Promise.resolve();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #ends: readonly (() => void)[];

  constructor(chat: Chat, known: readonly string[], failed: string) {
    [this.#chat, this.#failed, this.#ids, this.#known] = [chat, failed, known, known];
    const leave = () => void this.#put();
    addEventListener("pagehide", leave);
    this.#ends = [
      () => removeEventListener("pagehide", leave),
      beforeSigningOut(() => this.#send()),
      chat.listen((frame) => {
        if (is(frame, serverOrderUpdated)) this.#hear(frame.data.server_ids);
        else if (is(frame, ready)) this.#hear(frame.data.server_order ?? []);
      }),
    ];
  }

  to(ids: readonly string[]): void {
    this.#ids = ids;
    this.#show(ids);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), restMs);
  }

  /** One order after the other: of two that are under way, the server would keep the one that comes last. */
  #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#last = this.#last.then(() => this.#put());
    return this.#last;
  }

  async #put(): Promise<void> {
    const ids = this.#ids;
    // Another call has sent it meanwhile.
    if (moving !== this || this.#sent === ids) return;
    this.#sent = ids;
    try {
      await setServerOrder({ body: { server_ids: [...ids] } });
      this.#chat.catchUp();
      // Once its event was there, what came behind that is newer than the answer.
      if (this.#sent === ids) this.#known = ids;
    } catch (error) {
      const { passes, message } = CallError.from(error);
      showToast({ text: passes ? this.#failed : message, isAlert: true });
    }
    if (this.#ids === ids) this.#end();
  }

  /** The event of an earlier order, or of another device's, does not move tabs back under the hand. */
  #hear(ids: readonly string[]): void {
    this.#known = ids;
    if (this.#sent?.join() === ids.join()) this.#sent = undefined;
    this.#show(this.#ids);
  }

  #end(): void {
    // An order that was sent twice, because the page was left meanwhile, has two answers.
    if (moving !== this) return;
    moving = undefined;
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
    this.#show(this.#known);
  }

  #show(ids: readonly string[]): void {
    this.#chat.change((copy) => ({ ...copy, serverOrder: ids, servers: inOrder(copy.servers, ids) }));
  }
}
