// Moves a server among one's own: at once on the page, soon at the server, and back when that refuses.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { beforeSigningOut } from "../../../web/ui/session/leaving.ts";
import type { Words } from "../../../web/words/en.ts";
import { setServerOrder } from "../calls.ts";
import { inOrder } from "../state.ts";

/** The pause after the last move before the order is sent, in milliseconds: a tab is moved by many steps. */
const restMs = 300;

/** An order that the server has not confirmed, and the one before it. */
interface Unsent {
  ids: readonly string[];
  before: readonly string[];
}

let unsent: Unsent | undefined;
/** Drops the last move's wait for the next one. */
let settle = () => {};

/** Moves a server to a place, counted from 0, and announces it. Returns false if it is there already. */
export function moveServer(chat: Chat, id: string, place: number, words: Words["serverOrder"]): boolean {
  const { servers = [] } = chat.state.copy ?? {};
  const present = servers.map((server) => server.id);
  // The copy may show an earlier order again for a moment, when its event comes.
  const now = unsent ? inOrder(servers, unsent.ids).map((server) => server.id) : present;
  const to = Math.max(0, Math.min(place, now.length - 1));
  const name = servers.find((server) => server.id === id)?.name;
  if (name === undefined || now.indexOf(id) === to) return false;
  const ids = now.filter((each) => each !== id).toSpliced(to, 0, id);
  unsent = { ids, before: unsent?.before ?? present };
  show(chat, ids);
  announce(words.moved(name, to + 1, ids.length));
  settle();
  settle = soon(() => send(chat, words.notMoved));
  return true;
}

/** Calls `run` after the pause, or right before the page is left. Returns the function that takes it back. */
function soon(run: () => Promise<void>): () => void {
  const now = () => {
    end();
    return run();
  };
  const timer = setTimeout(now, restMs);
  const stay = beforeSigningOut(now);
  addEventListener("pagehide", now);
  const end = () => {
    clearTimeout(timer);
    stay();
    removeEventListener("pagehide", now);
  };
  return end;
}

/** Moves a server by one place. */
export function moveByStep(chat: Chat, id: string, step: 1 | -1, words: Words["serverOrder"]): boolean {
  const { servers = [] } = chat.state.copy ?? {};
  const now = unsent ? inOrder(servers, unsent.ids) : servers;
  return moveServer(chat, id, now.findIndex((server) => server.id === id) + step, words);
}

async function send(chat: Chat, failed: string): Promise<void> {
  const sent = unsent;
  if (!sent) return;
  try {
    await setServerOrder({ body: { server_ids: [...sent.ids] } });
    // A move that was made meanwhile goes back to this order when it is refused.
    if (unsent) unsent.before = sent.ids;
  } catch (error) {
    const { passes, message } = CallError.from(error);
    showToast({ text: passes ? failed : message, isAlert: true });
    if (unsent === sent) show(chat, sent.before);
  }
  if (unsent === sent) unsent = undefined;
}

function show(chat: Chat, ids: readonly string[]): void {
  chat.change((copy) => ({ ...copy, serverOrder: ids, servers: inOrder(copy.servers, ids) }));
}
