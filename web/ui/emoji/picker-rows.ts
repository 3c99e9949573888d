// The rows of the emoji picker, eight emoji each, and the moves of the arrow keys.
import { type Emoji, foundEmoji } from "./entries.ts";

export const columns = 8;

export type PickerRow =
  | { kind: "head"; key: string; group: Group }
  | { kind: "emoji"; key: string; items: readonly Emoji[] };

/** "found" has the results of the search. */
export type Group = number | "recent" | "found";

export interface Place {
  row: number;
  column: number;
}

export function pickerRows(all: readonly Emoji[], recent: readonly string[], query: string): PickerRow[] {
  if (query.trim() !== "") return section("found", foundEmoji(all, query));
  const known = new Map(all.map((each) => [each.emoji, each]));
  const used = recent.flatMap((emoji) => known.get(emoji) ?? []);
  const groups = new Map<number, Emoji[]>();
  for (const each of all) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...section("recent", used), ...[...groups].flatMap(([group, items]) => section(group, items))];
}

function section(group: Group, items: readonly Emoji[]): PickerRow[] {
  if (items.length === 0) return [];
  const rows: PickerRow[] = [{ kind: "head", key: `head ${group}`, group }];
  for (let i = 0; i < items.length; i += columns)
    rows.push({ kind: "emoji", key: `${group} ${i}`, items: items.slice(i, i + columns) });
  return rows;
}

export function emojiAt(rows: readonly PickerRow[], place: Place | undefined): Emoji | undefined {
  const row = place && rows[place.row];
  return row?.kind === "emoji" ? row.items[place?.column ?? 0] : undefined;
}

export function firstPlace(rows: readonly PickerRow[]): Place | undefined {
  const row = rows.findIndex(({ kind }) => kind === "emoji");
  return row < 0 ? undefined : { row, column: 0 };
}

/** Returns the place that a key moves to: the same place at an end, undefined for other keys. */
export function moved(rows: readonly PickerRow[], from: Place, key: string): Place | undefined {
  switch (key) {
    case "ArrowRight":
      return beside(rows, from, 1);
    case "ArrowLeft":
      return beside(rows, from, -1);
    case "ArrowDown":
      return across(rows, from, 1, 1);
    case "ArrowUp":
      return across(rows, from, -1, 1);
    case "PageDown":
      return across(rows, from, 1, 5);
    case "PageUp":
      return across(rows, from, -1, 5);
    default:
      return undefined;
  }
}

function beside(rows: readonly PickerRow[], { row, column }: Place, by: 1 | -1): Place {
  const next = column + by;
  if (emojiAt(rows, { row, column: next })) return { row, column: next };
  const other = nextRow(rows, row, by);
  if (other === undefined) return { row, column };
  return { row: other, column: by === 1 ? 0 : lengthOf(rows[other]) - 1 };
}

function across(rows: readonly PickerRow[], from: Place, by: 1 | -1, times: number): Place {
  let { row } = from;
  for (let i = 0; i < times; i++) row = nextRow(rows, row, by) ?? row;
  return { row, column: Math.min(from.column, lengthOf(rows[row]) - 1) };
}

function nextRow(rows: readonly PickerRow[], from: number, by: 1 | -1): number | undefined {
  for (let row = from + by; rows[row]; row += by) if (rows[row]?.kind === "emoji") return row;
  return undefined;
}

function lengthOf(row: PickerRow | undefined): number {
  return row?.kind === "emoji" ? row.items.length : 0;
}
