// Settles an event that changes the rights or audiences of listeners, before it goes out: who listens to what after it.
import type { LoggedEvent } from "../bus/bus.ts";
import type { House } from "../house/house.ts";
import { nextTurn, pieces } from "../house/pieces.ts";
import { standingsIn } from "../house/standing.ts";
import { UnitOfWork } from "../house/unit.ts";
import { idOf } from "../place.ts";
import { type Held, heldBefore, heldByEach, heldWithout, isSame, leastHeld } from "./audience.ts";
import { laterAudiences, withoutLater } from "./later.ts";
import { SightNews } from "./sight.ts";
import type { Socket } from "./socket.ts";

/** Sockets whose rights are looked up together. */
const settledAtOnce = 200;

/** Has a socket listen to these audiences of the event's stream, and to no others. */
type Listen = (socket: Socket, held: Held) => void;

/** Takes the changes of a settled event: at once, or with the frames about them. */
interface Changes {
  listen: Listen;
  news: SightNews;
  /** Returns what a listener holds with these rights, without audiences that begin later. */
  heldNow(held: Held, listened: Held): Held;
}

/** Updates these followers' audiences to their rights after the event, and tells them what they see by that. */
export async function settle(
  house: House,
  event: LoggedEvent,
  followers: readonly Socket[],
  listen: Listen,
): Promise<void> {
  const unit = new UnitOfWork(house, house.database.read, "cached");
  const serverId = idOf(event.stream);
  const after = { stream: event.stream, after: event.seq };
  const news = new SightNews(unit, serverId, after);
  const byUser = Map.groupBy(followers, (socket) => socket.caller?.userId ?? "");
  let isFirst = true;
  for (const people of pieces(byUser, ([, sockets]) => sockets.length, settledAtOnce)) {
    if (!isFirst) await nextTurn();
    isFirst = false;
    const ids = people.map(([userId]) => userId);
    const held = await heldByEach(unit, await standingsIn(unit, serverId, ids));
    const heldNow = withoutLater(await laterAudiences(house.database.read, after));
    for (const [userId, sockets] of people)
      relisten(event, sockets, held.get(userId), { listen, news, heldNow });
  }
  await news.send(listen);
}

function relisten(
  event: LoggedEvent,
  sockets: readonly Socket[],
  byRights: Held | undefined,
  { listen, news, heldNow }: Changes,
): void {
  for (const socket of sockets) {
    const listened = socket.follows.get(event.stream);
    if (!socket.isOpen || !listened) continue;
    const held = byRights && heldNow(byRights, listened);
    const before = heldBefore(listened, held, event);
    // A former member learns it when the stream reaches that event; until then they hear what everybody hears.
    const after = held ?? leastHeld;
    const lost = heldWithout(before, after);
    // Lost audiences are unsubscribed at once, gained ones when the socket gets its frames.
    const kept = lost.size > 0 ? heldWithout(before, lost) : before;
    if (kept !== listened) listen(socket, kept);
    if (held && !isSame(before, held)) news.owe(socket, before, held);
  }
}
