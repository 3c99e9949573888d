// Sends what a resumed connection missed, from the log, page by page and no faster than it is taken.
import type { Audience } from "../../protocol/event.ts";
import type { Db } from "../database/database.ts";
import { readLog } from "../outbox.ts";
import { hears } from "./audience.ts";
import { roomFor } from "./pace.ts";
import type { Owed } from "./resume.ts";
import type { Socket } from "./socket.ts";

const eventsAtOnce = 500;

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
  return sent;
}
