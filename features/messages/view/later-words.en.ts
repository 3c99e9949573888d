// Texts of the marks over the list, and of the actions on a message, in English.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("en");

export const english = {
  jumpToPresent: "Jump to present",
  behind: "Newer messages do not load yet.",
  newCount: (count: number, isMore: boolean) =>
    `${numberOf(count)}${isMore ? "+" : ""} new ${count === 1 && !isMore ? "message" : "messages"}`,
  jumpToFirst: "Jump to first",
  jumpToDate: "Jump to date",
  jump: "Jump",
  date: "Date",
  dateFirst: "Choose a date first.",
  jumpHint: "Leads to the first message of that day, or the next one after it.",
  nothingSince: "There are no messages on that day or after it.",
  markAsRead: "Mark as read",
  said: (author: string, text: string) => `${author}: ${text}`,
  file: "a file",
  days: "Days",
  unreadCount: (count: number) => `${numberOf(count)} unread`,
  reply: "Reply",
  edit: "Edit",
  copyText: "Copy text",
  copyLink: "Copy link",
  markUnread: "Mark unread from here",
  editMessage: "Edit message",
  editKeys: "Enter saves, Escape cancels",
  editKeysWithCtrl: "Ctrl and Enter save, Escape cancels",
  save: "Save",
  cancel: "Cancel",
  notSaved: "Not saved: the server cannot be reached. What you wrote is kept.",
  tooLong: (length: number, most: number) => `${length} characters; ${most} are the most.`,
  deleted: "Message deleted",
  undo: "Undo",
  cannotEdit: (why: string) => `A correction was not saved, and is kept with its message. ${why}`,
  cannotDelete: (why: string) => `The message is still there. ${why}`,
  cannotMark: (why: string) => `It is marked as before. ${why}`,
};
