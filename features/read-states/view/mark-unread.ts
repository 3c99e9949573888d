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
  async run({ message, words }) {
    try {
      await markUnreadFrom(message);
    } catch (error) {
      showToast({ text: words.messages.cannotMark(reasonOf(error, words)), isAlert: true });
    }
  },
};

/** Makes a message and all later ones new, in the open channel at once. Throws CallError. */
export async function markUnreadFrom({ channel_id, id }: Pick<Message, "channel_id" | "id">): Promise<void> {
  const before = useReading.getState();
  const after = idBefore(id);
  if (before.channelId === channel_id) {
    useReading.setState({
      fresh: { after, upTo: before.newestId ?? id },
      isPaused: true,
    });
  }
  try {
    await markChannelRead({ params: { channelID: channel_id }, body: { message_id: after } });
  } catch (error) {
    useReading.setState(before);
    throw error;
  }
}
