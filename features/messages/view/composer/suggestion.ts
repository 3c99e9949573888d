// Something that a word can be completed to, as it is shown and as it is written.

export interface Suggestion {
  key: string;
  label: string;
  /** At the end of its row. */
  note?: string | undefined;
  /** What takes the place of the word; a space follows. */
  insert: string;
  /** One of these stands in front of it. */
  face?: { id: string; name: string; avatar: string | null };
  emoji?: string;
  icon?: "people" | "channel" | "command";
  /** Of a role. */
  colour?: string;
}

/** What is known of somebody who can be called. */
export interface Author {
  id: string;
  username: string;
  display_name: string;
  avatar: string | null;
}
