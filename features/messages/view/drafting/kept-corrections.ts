// Unsaved edits: kept by message, across reloads, until they are saved or cancelled.
import { dropFromTab, keepInTab, keptInTab, namesInTab } from "../../../../web/ui/browser/tab-store.ts";
import type { Message } from "../../contract.ts";

/** A message that may be deleted by now. */
export type Named = Pick<Message, "id" | "channel_id">;

const prefix = "hearth.correction/";

export function correctionOf(message: Named): string | undefined {
  return keptInTab(nameOf(message));
}

export function keepCorrection(message: Named, text: string): void {
  keepInTab(nameOf(message), text);
}

export function dropCorrection(message: Named): void {
  dropFromTab(nameOf(message));
}

/** The messages with kept edits. */
export function keptCorrections(): Named[] {
  return namesInTab(prefix).map((name) => {
    const [channel_id = "", id = ""] = name.slice(prefix.length).split("/");
    return { id, channel_id };
  });
}

/** Includes the channel: once a message is deleted, the server no longer says where it was. */
function nameOf({ id, channel_id }: Named): string {
  return `${prefix}${channel_id}/${id}`;
}
