// The grid of the emoji picker. Only visible rows are rendered, and the one with the selected emoji.
// biome-ignore-all lint/a11y/useSemanticElements: a table cannot leave out the rows that are out of sight.
// biome-ignore-all lint/a11y/useFocusableInteractive: the search field has the focus and points here (aria-activedescendant).
import { memo, type Ref, useImperativeHandle, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { classNames } from "../browser/class-names.ts";
import { useWords } from "../words/words.ts";
import { type Emoji, inTone, type Tone } from "./entries.ts";
import styles from "./picker.module.css";
import { columns, type PickerRow, type Place } from "./picker-rows.ts";

export interface GridHandle {
  show(row: number, align?: "nearest" | "start"): void;
}

interface Props {
  id: string;
  rows: readonly PickerRow[];
  at: Place | undefined;
  tone: Tone;
  onPoint(place: Place): void;
  onPick(emoji: Emoji, stays: boolean): void;
  ref: Ref<GridHandle>;
}

export function EmojiGrid({ id, rows, at, tone, onPoint, onPick, ref }: Props) {
  const { emoji: words } = useWords();
  const list = useRef<VListHandle>(null);
  useImperativeHandle(ref, () => ({
    // Scrolls to the head of the group as well, for its first row.
    show: (row, align = "nearest") =>
      list.current?.scrollToIndex(align === "nearest" && rows[row - 1]?.kind === "head" ? row - 1 : row, {
        align,
      }),
  }));
  return (
    <VList
      ref={list}
      id={id}
      role="grid"
      aria-label={words.emoji}
      aria-colcount={columns}
      className={styles.grid}
      keepMounted={at ? [at.row] : []}
      tabIndex={-1}
    >
      {rows.map((row, i) =>
        row.kind === "head" ? (
          <div key={row.key} role="row" className={styles.head}>
            <span role="columnheader">{words.group(row.group)}</span>
          </div>
        ) : (
          <EmojiRow
            key={row.key}
            id={`${id} ${i}`}
            items={row.items}
            column={at?.row === i ? at.column : undefined}
            tone={tone}
            onPoint={(column) => onPoint({ row: i, column })}
            onPick={onPick}
          />
        ),
      )}
    </VList>
  );
}

interface RowProps {
  id: string;
  items: readonly Emoji[];
  /** The selected column; undefined in all rows but one. */
  column: number | undefined;
  tone: Tone;
  onPoint(column: number): void;
  onPick(emoji: Emoji, stays: boolean): void;
}

const EmojiRow = memo(
  function EmojiRow({ id, items, column, tone, onPoint, onPick }: RowProps) {
    return (
      <div role="row" className={styles.row}>
        {items.map((each, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's, which points here.
          <div
            key={each.code}
            id={`${id} ${i}`}
            role="gridcell"
            aria-label={each.name}
            aria-selected={i === column}
            className={classNames(styles.cell, i === column && styles.active)}
            onPointerMove={() => i !== column && onPoint(i)}
            onClick={(event) => onPick(each, event.shiftKey)}
          >
            {inTone(each, tone)}
          </div>
        ))}
      </div>
    );
  },
  (one, other) => one.items === other.items && one.column === other.column && one.tone === other.tone,
);
