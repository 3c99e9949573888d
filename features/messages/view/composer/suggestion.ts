// A suggestion for a word: how it is shown, and the text that it inserts.

export interface Suggestion {
  key: string;
  label: string;
  /** Shown at the end of the row. */
  note?: string | undefined;
  /** The text that replaces the word; a space is added. */
  insert: string;
  /** One of these is shown in front. */
  face?: { id: string; name: string; avatar: string | null };
  emoji?: string;
  icon?: "people" | "channel" | "command";
  /** The colour of a role. */
  colour?: string;
}

/** The known facts about a person who can be mentioned. */
export interface Author {
  id: string;
  username: string;
  display_name: string;
  avatar: string | null;
}
