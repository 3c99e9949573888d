// Moves the focus of a row that disappears to the nearest row that stays, so that it is never lost.
import { composerOf } from "../window/walk.ts";

export function focusNear(row: HTMLElement): void {
  if (!row.contains(document.activeElement) && document.activeElement !== document.body) return;
  const room = row.closest("main");
  const rows = [...(room?.querySelectorAll<HTMLElement>("article[data-message-id]") ?? [])];
  const at = rows.indexOf(row);
  const next = rows[at + 1] ?? rows[at - 1] ?? composerOf(row);
  next?.focus();
}
