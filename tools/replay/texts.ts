// Turns IRC lines into messages: a name at the start becomes a mention, and an overlong line becomes several messages.

const LONGEST = 4_000;
const ADDRESS = /^([^\s,:]+)[:,](?=\s|$)/;

interface Text {
  /** The messages to post: several when the line is longer than a message may be. */
  parts: string[];
  /** The known nick that the first part mentions. */
  addressed: string | undefined;
}

/** `usernames` maps every known nick to its username. */
export function textFor(
  said: string,
  usernames: Map<string, string>,
  findNick: (name: string) => string | undefined,
): Text {
  const whole = said.replaceAll("\0", "\uFFFD").toWellFormed();
  const name = ADDRESS.exec(whole)?.[1];
  const addressed = name === undefined ? undefined : findNick(name);
  if (name === undefined || addressed === undefined) return { parts: split(whole), addressed: undefined };
  const rest = whole.slice(name.length + 1);
  return { parts: split(`@${usernames.get(addressed)}${rest}`), addressed };
}

/** IRC ignores the case of names; where two nicks differ only by case, the exact spelling wins. */
export function nickFinder(nicks: Iterable<string>): (name: string) => string | undefined {
  const exact = new Set(nicks);
  const folded = new Map<string, string>();
  for (const nick of exact) if (!folded.has(nick.toLowerCase())) folded.set(nick.toLowerCase(), nick);
  return (name) => (exact.has(name) ? name : folded.get(name.toLowerCase()));
}

function split(text: string): string[] {
  const points = [...text];
  if (points.length <= LONGEST) return [text];
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += LONGEST) {
    const part = points
      .slice(at, at + LONGEST)
      .join("")
      .trim();
    if (part !== "") parts.push(part);
  }
  return parts;
}
