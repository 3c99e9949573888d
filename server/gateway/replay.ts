// Sends what a resumed connection missed, from the log, page by page and no faster than it is taken.
import type { Db } from "../database/database.ts";
import { readLog } from "../outbox.ts";
import { type Audience, hears } from "./audience.ts";
import type { Owed } from "./resume.ts";
import type { Socket } from "./socket.ts";

const eventsAtOnce = 500;
/** A replay waits for its reader when this much is under way. */
const aheadBytes = 256 * 1024;

/** Answers how many events were sent; undefined when the log was cut while it was being read. */
export async function replay(
  db: Db,
  socket: Socket,
  owed: readonly Owed[],
  audienceIn: (serverId: string) => Audience,
): Promise<number | undefined> {
  let sent = 0;
  for (const { serverId, from, upTo } of owed) {
    const audience = audienceIn(serverId);
    for (let at = from; at < upTo && socket.isOpen; ) {
      const events = await readLog(db, serverId, at, upTo, eventsAtOnce);
      // A slow reader may take longer than the log goes back.
      if (events[0]?.seq !== at + 1) return undefined;
      for (const event of events) {
        if (!hears(audience, event)) continue;
        socket.send(event.frame);
        sent++;
        await roomFor(socket);
      }
      at += events.length;
    }
  }
  // What is still under way was paced; the limit for slow readers counts from here.
  socket.behindSince = 0;
  return sent;
}

async function roomFor(socket: Socket): Promise<void> {
  while (socket.isOpen && (socket.wire?.getBufferedAmount() ?? 0) > aheadBytes) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 50);
      socket.onDrain = () => {
        clearTimeout(timer);
        socket.onDrain = undefined;
        resolve();
      };
    });
  }
}
