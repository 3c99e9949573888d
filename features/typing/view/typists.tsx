// The people who are typing: one or two by name, more as "several".
import { useEffect, useReducer, useRef } from "react";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { usePersonIn } from "../../members/view/members.ts";
import { type Seen, seenAfter, stillThere } from "./fading.ts";
import styles from "./typing-line.module.css";

export function Typists({ channel }: { channel: OwnChannel }) {
  const { typing: words } = useWords();
  const ids = useTypistIds(channel.id);
  // More than two are shown as "several" without their names.
  const [one, other] = ids.length <= 2 ? ids : [];
  const first = usePersonIn(channel, one)?.display_name;
  const second = usePersonIn(channel, other)?.display_name;
  const names = [first, second].filter((name) => name !== undefined);
  const isSaid = ids.length > 2 || (ids.length > 0 && names.length === ids.length);
  if (!isSaid) return null;
  return (
    <>
      <span className={styles.dots} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span className={styles.who}>{ids.length > 2 ? words.several : <Names names={names} />}</span>
    </>
  );
}

function Names({ names }: { names: string[] }) {
  const { typing: words } = useWords();
  const parts = new Intl.ListFormat(currentLanguage()).formatToParts(names);
  return (
    <>
      {parts.map(({ type, value }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name, and their order is all there is.
        type === "element" ? <b key={i}>{value}</b> : value,
      )}
      {words.typing(names.length)}
    </>
  );
}

/** Returns the typists of the last seconds, by this machine's clock. */
function useTypistIds(channelId: string): string[] {
  const typists = useCopy((copy) => copy.typists);
  const ownId = useCopy((copy) => copy.user.id);
  const blocked = useCopy((copy) => copy.blocked);
  const seen = useRef<Seen>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const here = typists.filter(
    ({ channel_id, user_id }) => channel_id === channelId && user_id !== ownId && !blocked.includes(user_id),
  );
  seen.current = seenAfter(seen.current, here, Date.now());
  const { ids, nextMs } = stillThere(seen.current, here, Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sign is another time to look again.
  useEffect(() => {
    if (nextMs === undefined) return;
    const timer = setTimeout(redraw, nextMs);
    return () => clearTimeout(timer);
  }, [nextMs, typists]);
  return ids;
}
