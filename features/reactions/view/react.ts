// Reacting as an action on a message.
import { SmilePlus } from "lucide-react";
import { permission } from "../../../protocol/permissions.ts";
import { may, type Verb } from "../../messages/view/actions/verbs.ts";
import { isFull, useChoosing } from "./choosing.ts";

export const react: Verb = {
  id: "react",
  label: ({ reactions }) => reactions.react,
  icon: SmilePlus,
  key: "+",
  keyName: "+",
  spokenKey: "Plus",
  isInBar: () => true,
  applies: (subject) => may(subject, permission.SEND_MESSAGES) && !isFull(subject.message),
  run: ({ message, row, opener }) =>
    useChoosing.getState().start(message.id, opener.isConnected ? opener : row),
};
