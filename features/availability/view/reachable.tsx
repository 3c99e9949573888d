// On a person's card: whether they can be reached now, and when that changes, in the reader's time zone.
import { Clock3 } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { weekdayAndTime } from "../../../web/ui/words/days.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { getAvailability } from "../calls.ts";
import type { Availability } from "../contract.ts";
import styles from "./reachable.module.css";

/** Shows nothing for people without hours: they can always be reached. */
export function Reachable({ user }: { user: User }) {
  const { presence: words } = useWords();
  const [hours, setHours] = useState<Availability>();
  useEffect(() => {
    const abort = new AbortController();
    // On failure the card just shows no hours.
    getAvailability({ params: { id: user.id } }, abort.signal).then(setHours, () => {});
    return () => abort.abort();
  }, [user.id]);
  if (!hours || hours.windows.length === 0 || hours.next_change_at === null) return null;
  const when = weekdayAndTime(new Date(hours.next_change_at));
  return (
    <p className={styles.hours}>
      <Icon of={Clock3} size={14} />
      {hours.available_now ? words.reachableUntil(when) : words.reachableFrom(when)}
    </p>
  );
}
