// Long event logs: of a server whose members were away, and of one that was deleted two days ago.

import type { Filler, Row } from "../../filler.ts";
import { call } from "../../people.ts";
import type { Scene } from "../attack.ts";

export interface History {
  /** The number of the last event before the missed ones. */
  before: number;
  missed: number;
}

/** How many events of a server the clients missed: few enough for a replay instead of a fresh READY. */
const missed = 9000;

export const livingLog: Scene<History> = {
  name: "living log",
  async prepare({ origin, people, channelId }) {
    const path = `/channels/${channelId}/messages`;
    await call(origin, people[0]!, "POST", path, { content: "Nobody is here to hear it. ".repeat(20) });
    return { before: 0, missed };
  },
  fill(filler, { serverId }, facts, some) {
    facts.missed = some(missed);
    facts.before = lengthen(filler, filler.streamOf(serverId), facts.missed, {});
  },
};

export const deadLog: Scene<undefined> = {
  name: "dead log",
  async prepare({ origin, people }) {
    const { id } = await call<{ id: string }>(origin, people[3]!, "POST", "/servers", {
      name: "Short-lived",
    });
    await call(origin, people[3]!, "DELETE", `/servers/${id}`);
    return undefined;
  },
  fill(filler, _, __, some) {
    const { stream, server_id } = filler.row("events", { ends: "*" });
    const log: Row = stream ? { stream } : { server_id: server_id ?? "" };
    const created_at = Date.now() - 2 * 86_400_000;
    const count = some(200_000);
    const before = lengthen(filler, log, count, { created_at, ends: null });
    // The event that ends the server must be the last one in its log.
    filler.change("events", { ...log, ends: "*" }, { created_at, ends: null });
    filler.change("events", { ...log, seq: before + count }, { ends: "*" });
  },
};

/** Appends `count` copies of a log's last event. Returns the number of that event. */
function lengthen(filler: Filler, log: Row, count: number, own: Row): number {
  const stream = filler.row("streams", log);
  const before = Number(stream.seq);
  const last = filler.row("events", { ...log, seq: before });
  const numbers = Array.from({ length: count }, (_, index) => before + 1 + index);
  filler.copies(
    "events",
    last,
    numbers.map((seq) => ({ ...own, seq, frame: String(last.frame).replace(/"seq":\d+/, `"seq":${seq}`) })),
  );
  filler.change("streams", log, { seq: before + count });
  return before;
}
