// "Mark unread from here" as an action on a message.
import { BookmarkMinus } from "lucide-react";
import { idBefore } from "../../../client/id-before.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import type { Message } from "../../messages/contract.ts";
import { reasonOf } from "../../messages/view/actions/reason.ts";
import type { Verb } from "../../messages/view/actions/verbs.ts";
import { useReading } from "../../messages/view/model/reading.ts";
import { markChannelRead } from "../calls.ts";

export const markUnread: Verb = {
  id: "mark-unread",
  label: ({ messages }) => messages.markUnread,
  icon: BookmarkMinus,
  key: "u",
  keyName: "U",
  applies: () => true,
  async run({ message, channel, words }) {
    try {
      await markUnreadFrom(message, channel.last_message_id);
    } catch (error) {
      showToast({ text: words.messages.cannotMark(reasonOf(error, words)), isAlert: true });
    }
  },
};

/** Makes a message and all later ones new, up to the last one; in the open channel at once. Throws CallError. */
export async function markUnreadFrom(
  { channel_id, id }: Pick<Message, "channel_id" | "id">,
  lastId: string | null,
): Promise<void> {
  const before = useReading.getState();
  const after = idBefore(id);
  const fresh = { after, upTo: lastId ?? id };
  if (before.channelId === channel_id) useReading.setState({ fresh, isPaused: true });
  try {
    await markChannelRead({ params: { channelID: channel_id }, body: { message_id: after } });
  } catch (error) {
    // Another channel, or the same anew, may have been opened meanwhile.
    if (useReading.getState().fresh === fresh)
      useReading.setState({ fresh: before.fresh, isPaused: before.isPaused });
    throw error;
  }
}
