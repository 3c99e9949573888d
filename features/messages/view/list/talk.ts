// The current rows of a channel, and the row of a message.
import { useMemo, useRef } from "react";
import { shownOf } from "../../../../client/window.ts";
import { useCopy, useUnsent } from "../../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../../channels/state.ts";
import { useGoing } from "../actions/going.ts";
import { useFolding } from "../model/blocked-runs.ts";
import { useReading } from "../model/reading.ts";
import { type MessageRow, type Row, rowsOf, withSameRows } from "../model/rows.ts";

export function useRows({ id: channelId, server_id }: OwnChannel): readonly Row[] {
  const window = useCopy((copy) => copy.windows.get(channelId));
  const ownId = useCopy((copy) => copy.user.id);
  const fold = useFolding();
  const fresh = useReading((reading) => (reading.channelId === channelId ? reading.fresh : undefined));
  const unsent = useUnsent();
  const going = useGoing((state) => state.ids);
  const before = useRef<readonly Row[]>([]);
  const isFar = window?.far !== undefined;
  const { messages: shown, hasOlder } = shownOf(window ?? {});
  const begins = window !== undefined && !hasOlder;
  return useMemo(() => {
    // Unsent messages follow the newest message, which is not loaded while the reader is further up.
    const mine = isFar ? [] : unsent.filter((each) => each.channelId === channelId);
    const messages = shown.filter(({ id }) => !going.has(id));
    const rows = fold(rowsOf({ messages, hasOlder, unsent: mine, ownId, fresh }));
    // An empty channel says more than where it begins.
    if (begins && (server_id === null || rows.length > 0))
      rows.unshift({ kind: "beginning", key: "beginning", isLoose: true, channelId });
    before.current = withSameRows(before.current, rows);
    return before.current;
  }, [shown, hasOlder, isFar, unsent, going, channelId, ownId, fresh, begins, server_id, fold]);
}

/** Returns the row of a message; if it is gone, the first one after it, or else the last one. */
export function rowNear(rows: readonly Row[], id: string): MessageRow | undefined {
  const messages = rows.filter((row) => row.kind === "message");
  return messages.find(({ message }) => message.id >= id) ?? messages.at(-1);
}

/** Returns the id of the message in a row, or of the first one after it. */
export function idIn(rows: readonly Row[], key: string): string | undefined {
  const from = rows.findIndex((row) => row.key === key);
  const row = rows.slice(Math.max(0, from)).find(({ kind }) => kind === "message");
  return row?.kind === "message" ? row.message.id : undefined;
}
