// The actions on a message. Later features add theirs; bar, menu, sheet and keys all use this list.
import { Copy, Link2, type LucideIcon, Pencil, Reply, Trash2 } from "lucide-react";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { copyText } from "../../../../web/ui/controls/copy-text.ts";
import { lettersOn } from "../../../../web/ui/keys/key-choices.ts";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import type { House } from "../../../../web/ui/session/house.tsx";
import type { Words } from "../../../../web/words/en.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import type { Message } from "../../contract.ts";
import { useEditing } from "../drafting/editing.ts";
import { useReplying } from "../drafting/replying.ts";
import { composerOf } from "../window/walk.ts";
import { remove } from "./deleting.ts";

/** A message, its channel and its reader. */
export interface Subject {
  message: Message;
  channel: OwnChannel;
  userId: string;
}

export interface Deed extends Subject {
  house: House;
  words: Words;
  /** The row of the message; the focus returns there, or to the next row. */
  row: HTMLElement;
  /** The element that was pressed: pickers open beside it. */
  opener: HTMLElement;
  /** Skips the time in which the action can be undone. */
  isAtOnce: boolean;
}

export interface Verb {
  id: string;
  label(words: Words): string;
  icon: LucideIcon;
  /** Shortcut on a focused row: `key` as a lower-case `KeyboardEvent.key`, `keyName` as people read it. */
  key: string;
  keyName: string;
  /** The key's name in `aria-keyshortcuts`, where that is another one. */
  spokenKey?: string;
  /** True if the bar over the row shows it for this message; the menu has all that apply. */
  isInBar?(subject: Subject): boolean;
  isDanger?: boolean;
  /** Nothing is sent by it, so that it also runs while the reader looks at the channel as a role. */
  isLocal?: boolean;
  /** Preceded by a separator in the menu. */
  isApart?: boolean;
  applies(subject: Subject): boolean;
  run(deed: Deed): void;
}

export const verbs: Verb[] = [
  {
    id: "reply",
    label: ({ messages }) => messages.reply,
    icon: Reply,
    key: "r",
    keyName: "R",
    isInBar: (subject) => !isOwn(subject),
    applies: (subject) => may(subject, permission.SEND_MESSAGES),
    run: ({ message, row }) => {
      useReplying.getState().reply(message.channel_id, message.id);
      composerOf(row)?.focus();
    },
  },
  {
    id: "edit",
    label: ({ messages }) => messages.edit,
    icon: Pencil,
    key: "e",
    keyName: "E",
    isInBar: isOwn,
    applies: (subject) => isOwn(subject) && may(subject, permission.SEND_MESSAGES),
    run: ({ message }) => useEditing.getState().start(message.id),
  },
  {
    id: "copy-text",
    label: ({ messages }) => messages.copyText,
    icon: Copy,
    key: "c",
    keyName: "C",
    isApart: true,
    isLocal: true,
    applies: ({ message }) => message.content !== "",
    run: ({ message }) => void copyText(message.content),
  },
  {
    id: "copy-link",
    label: ({ messages }) => messages.copyLink,
    icon: Link2,
    key: "l",
    keyName: "L",
    isLocal: true,
    applies: () => true,
    run: ({ message }) => void copyText(location.origin + paths.message(message)),
  },
  {
    id: "delete",
    label: ({ messages }) => messages.delete,
    icon: Trash2,
    key: "delete",
    keyName: "Del",
    spokenKey: "Delete",
    isDanger: true,
    isApart: true,
    applies: (subject) => isOwn(subject) || may(subject, permission.MANAGE_MESSAGES),
    run: remove,
  },
];

/** Inserts a later feature's verb before an existing one; by default before the last one, which deletes. */
export function addVerb(verb: Verb, before = "delete"): void {
  verbs.splice(
    verbs.findIndex(({ id }) => id === before),
    0,
    verb,
  );
}

/** True if the shortcut works: the reader may have turned single characters off. */
export function hasKey({ key }: Verb): boolean {
  return key.length > 1 || lettersOn();
}

function isOwn({ message: { author }, userId }: Subject): boolean {
  return author.kind !== "webhook" && author.id === userId;
}

export function may({ channel }: Subject, bit: number): boolean {
  return holds({ bits: channel.permissions }, bit);
}
