// Jumps to a message, to the first new one, or back to the present, fetching it first if necessary.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { isRowOf } from "../model/blocked-runs.ts";
import type { Wanted } from "../model/message-address.ts";
import { useReading } from "../model/reading.ts";
import type { Row } from "../model/rows.ts";
import { useOwnInSight } from "../window/own-in-sight.ts";
import type { Place } from "../window/steady.ts";
import type { ViewportHandle } from "../window/viewport.tsx";
import { firstId } from "./opening.ts";
import { rowNear } from "./talk.ts";

interface Given {
  channel: OwnChannel;
  rows: readonly Row[];
  /** True if the newest messages are not among the rows. */
  isFar: boolean;
  wanted: Wanted | undefined;
  viewport: RefObject<ViewportHandle | null>;
}

/** A message, or the line above the first message after it. */
interface Target {
  is: "message" | "fresh";
  id: string;
}

type Goal = { is: "present" } | (Target & { isFetched: boolean });

/** How long a row is highlighted after a jump, in milliseconds. */
const flashMs = 1200;
/** How long a notice is shown, in milliseconds. */
const noticeMs = 6000;

export function useTravel({ channel, rows, isFar, wanted, viewport }: Given) {
  const { history } = useHouse();
  const { messages: words } = useWords();
  const [goal, setGoal] = useState<Goal>();
  const [flashed, setFlashed] = useForAWhile<string>(flashMs);
  const [notice, setNotice] = useForAWhile<string>(noticeMs);
  const [location, navigate] = useLocation();

  const wantedId = useRef<string>(undefined);
  const failed = useCallback(() => {
    setGoal(undefined);
    setNotice(words.cannotJump);
  }, [words, setNotice]);
  const toTarget = useCallback(
    async ({ is, id }: Target, isThere: boolean) => {
      wantedId.current = id;
      setGoal({ is, id, isFetched: isThere });
      if (isThere) return;
      const isLeft = () => wantedId.current !== id;
      await history.around(channel.id, id, isLeft).catch(() => isLeft() || failed());
      setGoal((now) => (now?.is === is && now.id === id ? { ...now, isFetched: true } : now));
    },
    [history, channel.id, failed],
  );

  const toPresent = useCallback(() => {
    if (location !== paths.channel(channel)) navigate(paths.channel(channel), { replace: true });
    wantedId.current = undefined;
    setGoal({ is: "present" });
    if (isFar) history.present(channel.id).catch(failed);
  }, [history, channel, isFar, failed, location, navigate]);

  const toFresh = () => void toTarget({ is: "fresh", id: lastReadId() }, rows.some(isLine));

  useLayoutEffect(() => {
    const arrival = goal && arrivalOf(goal, rows, isFar);
    if (!arrival) return;
    setGoal(undefined);
    if (arrival.flash) setFlashed(arrival.flash);
    if (arrival.isGone) setNotice(words.messageGone);
    // Scrolling renders the list again, which is not possible during a render.
    queueMicrotask(() => viewport.current?.goTo(arrival.place));
  }, [goal, rows, isFar, viewport, setFlashed, setNotice, words]);

  useFollow(wanted, (id) => {
    void toTarget({ is: "message", id }, isRowOf(rowNear(rows, id), id));
  });
  useOwnInSight(channel.id, toPresent);

  return { flashed, notice, toPresent, toFresh, toRow: useToRow(viewport) };
}

/** The first new message follows this one. */
function lastReadId(): string {
  return useReading.getState().fresh?.after ?? firstId;
}

function isLine({ kind }: Row): boolean {
  return kind === "new";
}

function useToRow(viewport: RefObject<ViewportHandle | null>): (place: Place) => void {
  return useCallback((place) => viewport.current?.goTo(place), [viewport]);
}

interface Arrival {
  place: Place;
  flash?: string;
  isGone?: boolean;
}

/** Returns undefined until the rows that it needs are loaded. */
function arrivalOf(goal: Goal, rows: readonly Row[], isFar: boolean): Arrival | undefined {
  if (goal.is === "present") return isFar ? undefined : { place: { is: "bottom" } };
  const isMessage = goal.is === "message";
  const row = (!isMessage && rows.find(isLine)) || rowNear(rows, goal.id);
  const isIt = isMessage && row?.kind === "message" && isRowOf(row, goal.id);
  if (!row || !(isIt || goal.isFetched)) return undefined;
  const place = { is: "row", key: row.key, top: "third" } as const;
  return isIt ? { place, flash: row.key } : { place, isGone: isMessage };
}

/** Follows the address of the page; if it opened the list, the row is highlighted. */
function useFollow(wanted: Wanted | undefined, follow: (id: string) => void): void {
  const last = useRef<Wanted>(undefined);
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    if (wanted === last.current) return;
    last.current = wanted;
    if (wanted) latest.current(wanted.id);
  }, [wanted]);
}

/** A state that resets itself after `ms` milliseconds. */
function useForAWhile<T>(ms: number): [T | undefined, (value: T) => void] {
  const [value, setValue] = useState<{ is: T }>();
  useEffect(() => {
    if (!value) return;
    const timer = setTimeout(() => setValue(undefined), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return [value?.is, useCallback((is: T) => setValue({ is }), [])];
}
