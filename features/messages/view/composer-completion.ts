// Completing the word before the caret: when the list is open, where it stands, and which keys are its.
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { announce } from "../../../web/ui/announce.ts";
import { useWords } from "../../../web/ui/words.ts";
import type { Channel } from "../../channels/contract.ts";
import { placeOf } from "./composer-caret.ts";
import { replaceText } from "./composer-insert.ts";
import { useSuggestions } from "./composer-suggesting.ts";
import type { Suggestion } from "./composer-suggestion.ts";
import { type Token, tokenAt } from "./composer-tokens.ts";

type Area = RefObject<HTMLTextAreaElement | null>;

export function useCompletion(channel: Channel, area: Area, text: string) {
  const id = useId();
  const [caret, setCaret] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const [closedAt, setClosedAt] = useState<number>();
  const [more, onMore] = useState<readonly Suggestion[]>([]);
  const token = useOpenToken(text, caret, closedAt);
  const suggestions = useSuggestions(channel, token, more);
  const isOpen = token !== undefined && suggestions.length > 0;
  const active = Math.min(chosen ?? 0, suggestions.length - 1);
  const place = usePlace(area, isOpen ? token : undefined);
  useCount(isOpen ? suggestions.length : 0);

  const look = useCallback(() => {
    if (!area.current) return;
    const { value, selectionStart, selectionEnd } = area.current;
    const start = tokenAt(value, selectionEnd)?.start;
    setClosedAt((before) => (before === start ? before : undefined));
    setCaret(selectionStart === selectionEnd ? selectionEnd : undefined);
    setChosen(undefined);
  }, [area]);

  function take(suggestion: Suggestion) {
    if (!area.current || !token) return;
    replaceText(area.current, token.start, token.end, suggestion.insert + gapAfter(text, token));
  }

  /** Whether the key was one of the list's. */
  function onKey(event: KeyboardEvent): boolean {
    if (!isOpen || hasModifier(event)) return false;
    const suggestion = suggestions[active];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // What is written out in full only lacks a space: Enter sends it.
    const isWhole = chosen === undefined && suggestion?.insert === text.slice(token.start, token.end);
    if (step) setChosen((active + step + suggestions.length) % suggestions.length);
    else if (event.key === "Escape") setClosedAt(token.start);
    else if (suggestion && (event.key === "Tab" || (event.key === "Enter" && !isWhole))) take(suggestion);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return {
    token,
    list: isOpen && place ? { id, suggestions, active, place, onPoint: setChosen, onTake: take } : undefined,
    look,
    leave: () => setCaret(undefined),
    onKey,
    onMore,
  };
}

function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

/** One space follows what was completed. */
function gapAfter(text: string, { end }: Token): string {
  return /^\s/.test(text.slice(end)) ? "" : " ";
}

/** A word whose list was closed stays without one until another begins. */
function useOpenToken(text: string, caret: number | undefined, closedAt: number | undefined) {
  return useMemo(() => {
    const token = caret === undefined ? undefined : tokenAt(text, caret);
    return token && token.start !== closedAt ? token : undefined;
  }, [text, caret, closedAt]);
}

/** So far stands the list from the line, and its words from its own edge. */
const gapPx = 4;
const insetPx = 16;

function usePlace(area: Area, token: Token | undefined): { start: number; bottom: number } | undefined {
  const [place, setPlace] = useState<{ start: number; bottom: number }>();
  const start = token?.start;
  useLayoutEffect(() => {
    const box = area.current?.offsetParent;
    if (start === undefined || !area.current || !box) return setPlace(undefined);
    const { left, top } = placeOf(area.current, start);
    const fromLeft = area.current.offsetLeft + left;
    const isRtl = getComputedStyle(area.current).direction === "rtl";
    setPlace({
      start: (isRtl ? box.clientWidth - fromLeft : fromLeft) - insetPx,
      bottom: box.clientHeight - area.current.offsetTop - Math.max(0, top) + gapPx,
    });
  }, [area, start]);
  return place;
}

/** Says how many there are when there are some. */
function useCount(count: number): void {
  const { composer: words } = useWords();
  const isOpen = count > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once a list, not with each letter.
  useEffect(() => {
    if (isOpen) announce(words.found(count));
  }, [isOpen]);
}
