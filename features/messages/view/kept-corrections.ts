// Corrections that are not saved yet: kept by message, over a reload too, until they are saved or given up.
import { dropFromTab, keepInTab, keptInTab, namesInTab } from "../../../web/ui/tab-store.ts";
import type { Message } from "../contract.ts";

type Named = Pick<Message, "id">;

const prefix = "hearth.correction/";

export function correctionOf({ id }: Named): string | undefined {
  return keptInTab(prefix + id);
}

export function keepCorrection({ id }: Named, text: string): void {
  keepInTab(prefix + id, text);
}

export function dropCorrection({ id }: Named): void {
  dropFromTab(prefix + id);
}

/** The ids of the messages whose corrections are kept. */
export function keptCorrections(): string[] {
  return namesInTab(prefix).map((name) => name.slice(prefix.length));
}
