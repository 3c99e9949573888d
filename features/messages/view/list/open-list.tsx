// The open list of a channel: its scrolling rows, and the overlays.
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { shownOf } from "../../../../client/window.ts";
import { following } from "../../../../web/ui/loading/later.tsx";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import type { Wanted } from "../model/message-address.ts";
import { markAsRead, useLooking } from "../model/reading.ts";
import type { Row } from "../model/rows.ts";
import { RowFrame } from "../row/row-frame.tsx";
import { useSelectedRows } from "../row/selected.ts";
import { noteBones } from "../window/bones.ts";
import { useEnds } from "../window/ends.ts";
import { EmptyChannel } from "../window/loading.tsx";
import { type InSight, seenStore, type UseSeen } from "../window/seen.ts";
import type { Place, Seen } from "../window/steady.ts";
import { MessageViewport, type ViewportHandle } from "../window/viewport.tsx";
import { useWalk } from "../window/walk.ts";
import { leaveAt, type Start } from "./opening.ts";
import { idIn, rowNear, useRows } from "./talk.ts";
import { useTravel } from "./travel.ts";

const OverList = following(async () => (await import("./over-list.tsx")).OverList);
const DayRail = following(async () => (await import("./day-rail.tsx")).DayRail);

interface Props {
  channel: OwnChannel;
  start: Start;
  wanted: Wanted | undefined;
  /** Newer messages could not be loaded, and are retried. Not set without a connection, which is reported elsewhere. */
  isBehind: boolean;
  /** Receives the function that returns the message in the reader's view; it returns undefined at the bottom. */
  near: RefObject<() => string | undefined>;
  onEscape: RefObject<(() => void) | undefined>;
}

export const OpenList = memo(function OpenList({ channel, start, wanted, isBehind, near, onEscape }: Props) {
  const { messages: words } = useWords();
  const window = useCopy((copy) => copy.windows.get(channel.id));
  const isFar = window?.far !== undefined;
  const rows = useRows(channel);
  const [useSeen] = useState(seenStore);
  const viewport = useRef<ViewportHandle>(null);
  const travel = useTravel({ channel, rows, isFar, wanted, viewport });
  const walk = useWalk({ rows, viewport });
  const selected = useSelectedRows(rows);
  const loadMore = useEnds(channel.id, window);
  usePlaceKept({ channelId: channel.id, rows, viewport, near, useSeen });
  useReadingOn(channel, useSeen);

  useEffect(() => {
    onEscape.current = () => {
      if (useSeen.getState().isAtBottom && !isFar) markAsRead(channel.id, channel.last_message_id);
      else travel.toPresent();
    };
    return () => {
      onEscape.current = undefined;
    };
  }, [onEscape, useSeen, isFar, channel.id, channel.last_message_id, travel.toPresent]);

  function onMove(seen: Seen) {
    useSeen.setState({ ...seen, fresh: freshIn(rows, seen) });
    loadMore(seen);
    walk.onMove(seen);
  }

  if (rows.length === 0) return <EmptyChannel channel={channel} />;
  return (
    <>
      <MessageViewport
        ref={viewport}
        id={channel.id}
        label={words.messages}
        rows={rows}
        isWhole={!isFar}
        start={placeOf(start, rows)}
        kept={[...walk.kept, ...selected]}
        onMove={onMove}
        onKeyDown={walk.onKeyDown}
      >
        {(row) => <RowFrame row={row} useActive={walk.useActive} isFlashed={travel.flashed === row.key} />}
      </MessageViewport>
      <DayRail rows={rows} useSeen={useSeen} onTravel={travel.toRow} />
      <OverList
        channel={channel}
        rows={rows}
        isFar={isFar}
        hasOlder={shownOf(window ?? {}).hasOlder}
        useSeen={useSeen}
        travel={travel}
        isBehind={isBehind}
      />
    </>
  );
});

function freshIn(rows: readonly Row[], { first, last }: Seen): InSight["fresh"] {
  const i = rows.findIndex(({ kind }) => kind === "new");
  if (i < 0) return "nowhere";
  return i < first ? "above" : i > last ? "below" : "inside";
}

function placeOf(start: Start, rows: readonly Row[]): Place {
  if (start.is === "bottom") return { is: "bottom" };
  if (start.is === "fresh") {
    return rows.some(({ kind }) => kind === "new")
      ? { is: "row", key: "new", top: "third" }
      : { is: "bottom" };
  }
  const row = rowNear(rows, start.id);
  if (!row) return { is: "bottom" };
  return { is: "row", key: row.key, top: start.is === "left" ? start.top : "third" };
}

interface PlaceKept extends Pick<Props, "near"> {
  channelId: string;
  rows: readonly Row[];
  viewport: RefObject<ViewportHandle | null>;
  useSeen: UseSeen;
}

/** Remembers the scroll position for readers who come back to the channel. */
function usePlaceKept({ channelId, rows, viewport, near, useSeen }: PlaceKept): void {
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  useLayoutEffect(() => {
    const handle = viewport.current;
    const place = () => {
      const at = handle?.place;
      if (at?.is !== "row") return undefined;
      const id = idIn(rowsNow.current, at.key);
      return id === undefined || typeof at.top !== "number" ? undefined : { id, top: at.top };
    };
    near.current = () => place()?.id;
    const note = () =>
      handle?.steady && noteBones(channelId, handle.steady, rowsNow.current, useSeen.getState());
    addEventListener("pagehide", note);
    return () => {
      removeEventListener("pagehide", note);
      note();
      leaveAt(channelId, place());
    };
  }, [channelId, viewport, near, useSeen]);
}

function useReadingOn(channel: OwnChannel, useSeen: UseSeen): void {
  const { history } = useHouse();
  const isAtBottom = useSeen((seen) => seen.isAtBottom);
  const isFar = useCopy((copy) => copy.windows.get(channel.id)?.far !== undefined);
  const newestId = useCopy((copy) => shownOf(copy.windows.get(channel.id) ?? {}).messages[0]?.id);
  const markerId = useCopy((copy) => copy.readStates.get(channel.id)?.last_read_id);
  useEffect(() => history.hold(channel.id, !isAtBottom), [history, channel.id, isAtBottom]);
  useLooking({ channelId: channel.id, isAtNewest: isAtBottom && !isFar, newestId, markerId });
}
