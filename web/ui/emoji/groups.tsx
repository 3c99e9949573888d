// The buttons of the emoji picker that jump to a group, and the choice of skin tone.
import {
  Car,
  Clock3,
  Flag,
  Hand,
  Leaf,
  Lightbulb,
  Percent,
  Search,
  Smile,
  Trophy,
  UtensilsCrossed,
} from "lucide-react";
import { useState } from "react";
import { classNames } from "../browser/class-names.ts";
import { IconButton } from "../controls/button.tsx";
import { useWords } from "../words/words.ts";
import type { Tone } from "./entries.ts";
import styles from "./picker.module.css";
import type { Group, PickerRow } from "./picker-rows.ts";

const icons = new Map<Group, typeof Smile>([
  ["recent", Clock3],
  ["found", Search],
  [0, Smile],
  [1, Hand],
  [3, Leaf],
  [4, UtensilsCrossed],
  [5, Car],
  [6, Trophy],
  [7, Lightbulb],
  [8, Percent],
  [9, Flag],
]);

export function GroupTabs({ rows, onChoose }: { rows: readonly PickerRow[]; onChoose(row: number): void }) {
  const { emoji: words } = useWords();
  return (
    <div role="toolbar" aria-label={words.groups} className={styles.groups}>
      {rows.map((row, i) => {
        const icon = row.kind === "head" && icons.get(row.group);
        return (
          icon && (
            <IconButton
              key={row.key}
              label={words.group(row.group)}
              icon={icon}
              onClick={() => onChoose(i)}
            />
          )
        );
      })}
    </div>
  );
}

const hands = ["✋", "✋🏻", "✋🏼", "✋🏽", "✋🏾", "✋🏿"] as const;
const tones: readonly Tone[] = [0, 1, 2, 3, 4, 5];

export function ToneChoice({ tone, onChoose }: { tone: Tone; onChoose(tone: Tone): void }) {
  const { emoji: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.tone}>
      <button
        type="button"
        aria-label={`${words.tone}: ${words.tones[tone]}`}
        aria-expanded={isOpen}
        title={words.tone}
        className={styles.hand}
        onClick={() => setOpen(!isOpen)}
      >
        {hands[tone]}
      </button>
      {isOpen && (
        <fieldset aria-label={words.tone} className={styles.hands}>
          {tones.map((each) => (
            <button
              key={each}
              type="button"
              aria-label={words.tones[each]}
              aria-pressed={each === tone}
              className={classNames(styles.hand, each === tone && styles.active)}
              onClick={() => {
                onChoose(each);
                setOpen(false);
              }}
            >
              {hands[each]}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
