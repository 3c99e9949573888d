// "Mark unread from here" as an action on a message.
import { BookmarkMinus } from "lucide-react";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { reasonOf } from "../../messages/view/actions/reason.ts";
import type { Verb } from "../../messages/view/actions/verbs.ts";
import { markUnreadFrom } from "../../messages/view/model/reading.ts";

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
