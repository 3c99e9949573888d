// Pasting: a URL over a selection becomes a link, code gets a fence.
import { linkTarget } from "../../text/address.ts";
import { isInCode } from "./tokens.ts";

interface Pasted {
  plain: string;
  /** The HTML from the clipboard; only searched, never parsed. */
  html: string;
  /** The language of the code in an editor's own clipboard format. */
  editor: string;
}

/**
 * The tags that mark a page's text as code are at its beginning. The rest may be megabytes of unclosed tags, and
 * searching for the end of each would scan all of it.
 */
const mostLooked = 4000;

/** Returns the text that replaces the selection; undefined to leave the paste to the browser. */
export function pastedText(pasted: Pasted, text: string, start: number, end: number): string | undefined {
  const before = text.slice(0, start);
  if (isInCode(before)) return undefined;
  const selected = text.slice(start, end);
  const plain = pasted.plain.trim();
  if (selected !== "" && isAddress(plain) && !isAddress(selected) && !/[[\]\n]/.test(selected))
    return `[${selected}](${plain.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  if (!isCode(pasted)) return undefined;
  return fenced(pasted, before, text.slice(end));
}

function isAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text) && linkTarget(text) !== undefined;
}

/** True if the text has several lines and comes from an editor, or is marked as code by a page. */
function isCode({ plain, html, editor }: Pasted): boolean {
  if (!plain.trim().includes("\n") || plain.includes("```")) return false;
  if (editor !== "") return true;
  const starts = html
    .slice(0, mostLooked)
    .replace(/<!--.*?-->|<\/?(?:html|head|body|meta|div)\b[^>]*>|\s/gs, "");
  return /^<(?:pre|code)\b/i.test(starts) || /^<span[^>]*font-family:[^>]*mono/i.test(starts);
}

function fenced({ plain, editor }: Pasted, before: string, after: string): string {
  const opens = before === "" || before.endsWith("\n") ? "" : "\n";
  const closes = after === "" || after.startsWith("\n") ? "" : "\n";
  const code = plain.trimEnd().replace(/^\s*\n/, "");
  return `${opens}\`\`\`${languageOf(editor)}\n${code}\n\`\`\`${closes}`;
}

function languageOf(editor: string): string {
  const [, language = ""] = /"mode"\s*:\s*"([a-z0-9+#-]{1,20})"/.exec(editor) ?? [];
  return language === "plaintext" ? "" : language;
}
