// Deleting a message: its row disappears at once, and for some seconds the deletion can be undone.
import { CallError } from "../../../../client/call.ts";
import { copyAfter } from "../../../../client/copy.ts";
import { showToast } from "../../../../web/ui/loading/toast.ts";
import type { House } from "../../../../web/ui/session/house.tsx";
import { beforeSigningOut } from "../../../../web/ui/session/leaving.ts";
import type { Words } from "../../../../web/words/en.ts";
import { bulkDelete, deleteMessage } from "../../calls.ts";
import type { Message } from "../../contract.ts";
import { messageDeleted } from "../../events.ts";
import { focusNear } from "./focus.ts";
import { setGoing } from "./going.ts";
import { reasonOf } from "./reason.ts";

const undoMs = 5000;

interface Removal {
  message: Message;
  userId: string;
  house: House;
  words: Words;
  row: HTMLElement;
  isAtOnce: boolean;
}

export function remove(removal: Removal): void {
  const { message, words, row, isAtOnce } = removal;
  focusNear(row);
  setGoing(message.id, true);
  if (isAtOnce) return void removeNow(removal);
  const now = () => {
    settled();
    return removeNow(removal);
  };
  const stay = beforeSigningOut(now);
  addEventListener("pagehide", now);
  const settled = () => {
    stay();
    removeEventListener("pagehide", now);
  };
  showToast({
    text: words.messages.deleted,
    forMs: undoMs,
    action: {
      label: words.messages.undo,
      isUndo: true,
      run: () => {
        settled();
        setGoing(message.id, false);
      },
    },
    onGone: () => void now(),
  });
}

/** Deletes an own message by its id, and any other one, webhooks' included, with the moderators' bulk call. */
async function removeNow({ message, userId, house, words }: Removal): Promise<void> {
  const { id, channel_id, server_id, author } = message;
  const isOwn = author.id === userId && author.kind !== "webhook";
  try {
    if (isOwn) await deleteMessage({ params: { messageID: id } });
    else await bulkDelete({ params: { channelID: channel_id }, body: { message_ids: [id] } });
    forget(house, message);
  } catch (error) {
    if (CallError.from(error).status === 404) return forget(house, message);
    setGoing(id, false);
    showToast({ text: words.messages.cannotDelete(reasonOf(error, words)), isAlert: true });
  }

  /** The event may arrive after the response. */
  function forget({ chat }: House, { created_at: ts }: Message): void {
    chat.change((copy) =>
      copyAfter(copy, {
        ...{ type: messageDeleted.type, data: { id, channel_id }, ts },
        ...(server_id !== null && { server_id }),
      }),
    );
    setGoing(id, false);
  }
}
