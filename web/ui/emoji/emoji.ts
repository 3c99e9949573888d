// The list of emoji in the reader's language, loaded from this server when it is first needed.
import { currentLanguage, type Language } from "../words/words.ts";
import german from "./de.txt?url";
import english from "./en.txt?url";
import { type Emoji, emojiIn } from "./entries.ts";

const addresses: Readonly<Record<Language, string>> = { en: english, de: german };
const lists = new Map<Language, Promise<readonly Emoji[]>>();

/** Loads the list once per language; after a failure, the next call tries again. */
export function loadEmoji(): Promise<readonly Emoji[]> {
  const language = currentLanguage();
  const known = lists.get(language) ?? fetchEmoji(addresses[language]);
  lists.set(language, known);
  known.catch(() => lists.delete(language));
  return known;
}

async function fetchEmoji(address: string): Promise<readonly Emoji[]> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`the emoji cannot be had: ${answer.status}`);
  return emojiIn(await answer.text());
}
