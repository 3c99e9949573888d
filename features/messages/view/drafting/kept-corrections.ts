// Corrections that are not saved yet: kept by message, over a reload too, until they are saved or given up.
import { dropFromTab, keepInTab, keptInTab, namesInTab } from "../../../../web/ui/browser/tab-store.ts";
import type { Message } from "../../contract.ts";

/** Of a message that may be gone by now. */
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

/** The messages whose corrections are kept. */
export function keptCorrections(): Named[] {
  return namesInTab(prefix).map((name) => {
    const [channel_id = "", id = ""] = name.slice(prefix.length).split("/");
    return { id, channel_id };
  });
}

/** With the channel: nobody says any more where a message was that is gone. */
function nameOf({ id, channel_id }: Named): string {
  return `${prefix}${channel_id}/${id}`;
}
