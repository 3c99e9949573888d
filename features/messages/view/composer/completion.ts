// Completion of the word before the caret: finds the word, and handles the keys of the suggestion list.
import { type KeyboardEvent, type RefObject, useCallback, useId, useMemo, useState } from "react";
import { replaceText } from "./insert.ts";
import type { Suggestion } from "./suggestion.ts";
import { type Token, tokenAt } from "./tokens.ts";

export type Area = RefObject<HTMLTextAreaElement | null>;

const none: readonly Suggestion[] = [];

/** `Suggestions`, mounted while there is a word, finds the suggestions and reports them through `onFound`. */
export function useCompletion(area: Area, text: string) {
  const id = useId();
  const [caret, setCaret] = useState<number>();
  /** The key of the one that was chosen: better ones may be found later, and come before it. */
  const [chosen, setChosen] = useState<string>();
  const [closedAt, setClosedAt] = useState<number>();
  const [found, onFound] = useState(none);
  const token = useOpenToken(text, caret, closedAt);
  const suggestions = token ? found : none;
  const isOpen = suggestions.length > 0;
  const active = Math.max(
    suggestions.findIndex(({ key }) => key === chosen),
    0,
  );

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

  /** Returns whether the list handled the key. */
  function onKey(event: KeyboardEvent): boolean {
    if (!isOpen || !token || hasModifier(event)) return false;
    const suggestion = suggestions[active];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    // A word that is already complete only lacks a space: Enter sends the message.
    const isWhole = chosen === undefined && suggestion?.insert === text.slice(token.start, token.end);
    if (step) setChosen(suggestions.at((active + step) % suggestions.length)?.key);
    else if (event.key === "Escape") setClosedAt(token.start);
    else if (suggestion && (event.key === "Tab" || (event.key === "Enter" && !isWhole))) take(suggestion);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  return {
    asked: token && { id, area, token, active, onFound, onPoint: setChosen, onTake: take },
    list: isOpen ? { id, active: `${id}-${active}` } : undefined,
    look,
    leave: () => setCaret(undefined),
    onKey,
  };
}

function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

/** A completed word is followed by exactly one space. */
function gapAfter(text: string, { end }: Token): string {
  return /^\s/.test(text.slice(end)) ? "" : " ";
}

/** After its list is closed, a word gets no new one until another word begins. */
function useOpenToken(text: string, caret: number | undefined, closedAt: number | undefined) {
  return useMemo(() => {
    const token = caret === undefined ? undefined : tokenAt(text, caret);
    return token && token.start !== closedAt ? token : undefined;
  }, [text, caret, closedAt]);
}
