// The beginning of a message in one line, where the message itself is not shown.
import type { Message } from "../../contract.ts";
import { Calls, type Names } from "../../text/calls.ts";
import { Steps } from "../../text/steps.ts";
import { useNames, usePersonOf } from "./known-names.ts";

/** The most letters that fit in one line. */
const mostShown = 200;

/** One line of text without Markdown syntax, with the names of those whom it mentions; spoilers stay hidden. */
export function usePlain(message: Message): string {
  const names = useNames(message);
  const personOf = usePersonOf(message);
  return withNames(message.content.slice(0, mostShown), names, (id) => personOf(id)?.display_name)
    .replace(/\|\|.*?(?:\|\||$)/gs, "█████")
    .replace(/```\w*\n?|[`*]|^> ?/gm, "")
    .replace(/\s+/g, " ");
}

function withNames(text: string, names: Names, nameOf: (id: string) => string | undefined): string {
  const calls = new Calls(text, names, new Steps(text.length));
  let said = "";
  try {
    for (let at = 0; at < text.length; ) {
      const call = calls.at(at);
      const name = call?.what === "person" ? nameOf(call.id) : undefined;
      said += name === undefined ? (call?.text ?? text.charAt(at)) : `@${name}`;
      at += call?.raw.length ?? 1;
    }
  } catch {
    // Too dear to read: it stays as it was typed.
    return text;
  }
  return said;
}
