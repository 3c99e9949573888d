// What is pasted: an address over a selection becomes a link, code gets a fence.
import { linkTarget } from "../../text/address.ts";
import { isInCode } from "./tokens.ts";

interface Pasted {
  plain: string;
  /** As it came from a page or a program; only looked at, never parsed. */
  html: string;
  /** What an editor says of the language, in its own format. */
  editor: string;
}

/**
 * What begins a page of code stands in front. Of the rest, which may be megabytes of tags that nothing closes, each would
 * be looked for to the end.
 */
const mostLooked = 4000;

/** Returns what is put in place of the selection; undefined: what the browser does by itself is right. */
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

/** Several lines that come from an editor, or that a page set as code. */
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
