// Suggestions for the word before the caret: finds, announces and lists them above the line. Loaded on demand.
import { useEffect, useLayoutEffect, useState } from "react";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { filled } from "../../../../web/ui/loading/slots.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { placeOf } from "./caret.ts";
import type { Area } from "./completion.ts";
import { SuggestionList } from "./list.tsx";
import { moreSuggestions } from "./slots.ts";
import { useSuggestions } from "./suggesting.ts";
import type { Suggestion } from "./suggestion.ts";
import type { Token } from "./tokens.ts";

interface Props {
  channel: OwnChannel;
  /** The id of the list. */
  id: string;
  area: Area;
  token: Token;
  active: number;
  onFound(found: readonly Suggestion[]): void;
  onPoint(key: string): void;
  onTake(suggestion: Suggestion): void;
}

export function Suggestions({ channel, id, area, token, active, onFound, onPoint, onTake }: Props) {
  const [more, onMore] = useState<readonly Suggestion[]>([]);
  const suggestions = useSuggestions(channel, token, more);
  const isOpen = suggestions.length > 0;
  const place = usePlace(area, isOpen ? token : undefined);
  useCount(suggestions.length);
  // Runs before paint, so that keys and list never belong to different words.
  useLayoutEffect(() => onFound(suggestions), [onFound, suggestions]);
  useLayoutEffect(() => () => onFound([]), [onFound]);
  return (
    <>
      {isOpen && place && (
        <SuggestionList
          id={id}
          sign={token.sign}
          suggestions={suggestions}
          active={active}
          place={place}
          onPoint={onPoint}
          onTake={onTake}
        />
      )}
      {filled(moreSuggestions, {
        serverId: channel.server_id,
        sign: token.sign,
        query: token.query,
        onFound: onMore,
      })}
    </>
  );
}

/** Distance of the list from the line, and of its text from its own edge. */
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

/** Announces the number of suggestions if there are any. */
function useCount(count: number): void {
  const { composer: words } = useWords();
  const isOpen = count > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once a list, not with each letter.
  useEffect(() => {
    if (isOpen) announce(words.found(count));
  }, [isOpen]);
}
