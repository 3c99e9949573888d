// What one can do with a message. Later features add theirs; bar, menu, sheet and keys all follow this list.
import { Copy, Link2, type LucideIcon, Pencil, Reply, Trash2 } from "lucide-react";
import type { ServerEntry } from "../../../../client/ready.ts";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { copyText } from "../../../../web/ui/controls/copy-text.ts";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import type { House } from "../../../../web/ui/session/house.tsx";
import type { Words } from "../../../../web/words/en.ts";
import type { Message } from "../../contract.ts";
import { useEditing } from "../drafting/editing.ts";
import { useReplying } from "../drafting/replying.ts";
import { composerOf } from "../window/walk.ts";
import { remove } from "./deleting.ts";

/** A message, and who stands before it. */
export interface Subject {
  message: Message;
  server: ServerEntry;
  userId: string;
}

export interface Deed extends Subject {
  house: House;
  words: Words;
  /** The row of the message; the focus goes back there, or to what is next to it. */
  row: HTMLElement;
  /** What was pressed: pickers stand beside it. */
  opener: HTMLElement;
  /** Without the time in which it can be undone. */
  isAtOnce: boolean;
}

export interface Verb {
  id: string;
  label(words: Words): string;
  icon: LucideIcon;
  /** On a focused row, as `KeyboardEvent.key` in small letters; and how people read it. */
  key: string;
  keyName: string;
  /** It stands in the menu alone. */
  isInMenuOnly?: boolean;
  isDanger?: boolean;
  /** A line stands above it in the menu. */
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
    applies: (subject) => isOwn(subject),
    run: ({ message }) => useEditing.getState().start(message.id),
  },
  {
    id: "copy-text",
    label: ({ messages }) => messages.copyText,
    icon: Copy,
    key: "c",
    keyName: "C",
    isInMenuOnly: true,
    isApart: true,
    applies: ({ message }) => message.content !== "",
    run: ({ message }) => void copyText(message.content),
  },
  {
    id: "copy-link",
    label: ({ messages }) => messages.copyLink,
    icon: Link2,
    key: "l",
    keyName: "L",
    applies: () => true,
    run: ({ message: { server_id, channel_id, id } }) =>
      void copyText(location.origin + paths.message(server_id, channel_id, id)),
  },
  {
    id: "delete",
    label: ({ messages }) => messages.delete,
    icon: Trash2,
    key: "delete",
    keyName: "Del",
    isDanger: true,
    isApart: true,
    applies: (subject) => isOwn(subject) || may(subject, permission.MANAGE_MESSAGES),
    run: remove,
  },
];

/** Puts a later feature's verb before one that is there; without a name, before the last one, which is deleting. */
export function addVerb(verb: Verb, before = "delete"): void {
  verbs.splice(
    verbs.findIndex(({ id }) => id === before),
    0,
    verb,
  );
}

function isOwn({ message: { author }, userId }: Subject): boolean {
  return author.kind !== "webhook" && author.id === userId;
}

export function may({ server }: Subject, bit: number): boolean {
  return holds({ bits: server.permissions }, bit);
}
