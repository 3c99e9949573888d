// The beginning of a message in one line, where the message itself is not shown.

/** The most letters that fit in one line. */
const mostShown = 200;

/** One line of text without Markdown syntax; spoilers stay hidden. */
export function plain(content: string): string {
  return content
    .slice(0, mostShown)
    .replace(/\|\|.*?(?:\|\||$)/gs, "█████")
    .replace(/```\w*\n?|[`*]|^> ?/gm, "")
    .replace(/\s+/g, " ");
}
