// The list of hours: a day, from when, to when.
import { Plus, X } from "lucide-react";
import { limits } from "../../../protocol/limits.ts";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import entry from "../../../web/ui/controls/entry.module.css";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { Select } from "../../../web/ui/controls/select.tsx";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import type { Window } from "../contract.ts";
import styles from "./hours.module.css";
import { dayNameOf, daysOfWeek, nextWindow, workingWeek } from "./week.ts";

interface Props {
  windows: readonly Window[];
  problem: string | undefined;
  onChange(windows: Window[]): void;
}

export function Hours({ windows, problem, onChange }: Props) {
  const { availability: words } = useWords();
  const isFull = windows.length >= limits.availability_windows_max;
  const isIncomplete = windows.some(({ start, end }) => !start || !end);
  const wrong = isIncomplete ? words.incomplete : problem;
  return (
    <div tabIndex={-1} className={styles.hours}>
      {windows.length === 0 && <p className={styles.always}>{words.always}</p>}
      <ul>
        {windows.map((window, i) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place, and have nothing else of their own.
            key={i}
            number={i + 1}
            window={window}
            onChange={(next) => onChange(windows.with(i, next))}
            onRemove={() => onChange(windows.toSpliced(i, 1))}
          />
        ))}
      </ul>
      <div aria-live="polite">{wrong && <Problem>{wrong}</Problem>}</div>
      <div className={styles.buttons}>
        {!isFull && (
          <Button isSmall icon={Plus} onClick={() => onChange([...windows, nextWindow(windows)])}>
            {words.add}
          </Button>
        )}
        {windows.length === 0 && (
          <Button isSmall onClick={() => onChange([...workingWeek])}>
            {words.addWeek}
          </Button>
        )}
      </div>
    </div>
  );
}

interface RowProps {
  number: number;
  window: Window;
  onChange(window: Window): void;
  onRemove(): void;
}

function Row({ number, window, onChange, onRemove }: RowProps) {
  const { availability: words } = useWords();
  const { day, start, end } = window;
  const which = new Intl.NumberFormat(currentLanguage()).format(number);
  return (
    <li className={styles.row}>
      <Select
        aria-label={words.day(which)}
        value={String(day)}
        options={daysOfWeek.map((each) => ({ value: String(each), label: dayNameOf(each) }))}
        onChange={(value) => onChange({ ...window, day: Number(value) })}
      />
      <input
        type="time"
        className={entry.input}
        aria-label={words.from(which)}
        value={start}
        onChange={(event) => onChange({ ...window, start: event.target.value })}
      />
      <span>{words.until}</span>
      <input
        type="time"
        className={entry.input}
        aria-label={words.to(which)}
        value={end}
        onChange={(event) => onChange({ ...window, end: event.target.value })}
      />
      <IconButton label={words.remove(dayNameOf(day), start, end)} icon={X} onClick={onRemove} />
      {end !== "" && end <= start && <small>{words.nextDay}</small>}
    </li>
  );
}
