// Expands short codes in a message that is sent: ":tada:" becomes its emoji, except in code and after a backslash.

/** Matches text that is left alone (code blocks, inline code, escaped characters) or else a short code. */
const parts =
  /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*(?:\n[\s\S]*?)?(?:\n {0,3}\1[`~]*[^\S\n]*(?=\n|$)|$(?![\s\S]))|(?<!`)(`+)(?!`)[\s\S]*?[^`]\2(?!`)|\\[\s\S]|:(?<code>[\p{L}\d+][\p{L}\d_+-]+):/gmu;

/** The characters that may precede a short code: URLs, times and words contain colons of their own. */
const mayPrecede = /[\s([{*_~|"'>]/;

export function spelledOut(text: string, emojiOf: (code: string) => string | undefined): string {
  let said = "";
  let last = 0;
  let converted = -1;
  for (const { 0: all, index, groups } of text.matchAll(parts)) {
    const emoji = groups?.code === undefined ? undefined : emojiOf(groups.code);
    const mayBegin = index === 0 || index === converted || mayPrecede.test(text.charAt(index - 1));
    if (emoji === undefined || !mayBegin) continue;
    said += text.slice(last, index) + emoji;
    last = index + all.length;
    converted = last;
  }
  return said + text.slice(last);
}

/** Returns the function that expands short codes in a text, once the emoji list is loaded. */
export async function spelling(): Promise<(text: string) => string> {
  const { loadEmoji } = await import("../../../../web/ui/emoji/emoji.ts");
  const known = new Map((await loadEmoji()).map(({ code, emoji }) => [code, emoji]));
  return (text) => spelledOut(text, (code) => known.get(code));
}
