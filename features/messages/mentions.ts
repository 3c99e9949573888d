// Finds addresses in a text: @username, @Role Name, @everyone, <@id>, <@&id>, but not inside code; in a single pass.

/** An address in a text; which person or role it means is looked up in addressing.ts. */
export type Address =
  | { kind: "everyone" }
  | { kind: "user-id"; id: string }
  | { kind: "role-id"; id: string }
  /** The longest run of name characters after an @; a shorter one (without the punctuation at its end) may be meant. */
  | { kind: "name"; name: string; rest: string };

/** The most addresses of a text, enough for every sensible one; the rest is not looked at. */
const mostAddresses = 200;

const byId = /<@(&?)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})>/iy;
const longestName = 32;
const nameRun = /[A-Za-z0-9_.-]{0,40}/y;
const beforeName = /[A-Za-z0-9_.-]/;
/** Characters of the text behind an @ that can belong to a role's name. */
const longestRoleName = 200;

export function findAddresses(text: string): Address[] {
  const found: Address[] = [];
  for (let i = 0; i < text.length && found.length < mostAddresses; ) {
    const code = text[i];
    if (code === "`") {
      i = afterCode(text, i);
      continue;
    }
    if (code === "<") {
      byId.lastIndex = i;
      const match = byId.exec(text);
      if (match) {
        const id = (match[2] ?? "").toLowerCase();
        found.push(match[1] === "&" ? { kind: "role-id", id } : { kind: "user-id", id });
        i += match[0].length;
        continue;
      }
    }
    if (code === "@" && !(i > 0 && beforeName.test(text[i - 1] ?? ""))) {
      nameRun.lastIndex = i + 1;
      const name = nameRun.exec(text)?.[0] ?? "";
      if (name.toLowerCase() === "everyone") found.push({ kind: "everyone" });
      else found.push({ kind: "name", name, rest: text.slice(i + 1, i + 1 + longestRoleName) });
    }
    i++;
  }
  return found;
}

/** The most punctuation that is taken off the end of a name: `bob...` is bob and an ellipsis. */
const mostTrailing = 3;

/** Returns the usernames that a run of name characters may mean, longest first: `bob.` is bob and a stop, or Bob. */
export function nameCandidates(run: string): string[] {
  const candidates: string[] = [];
  for (let end = run.length; end >= 2 && run.length - end <= mostTrailing; end--) {
    if (end <= longestName) candidates.push(run.slice(0, end));
    if (!/[._-]/.test(run[end - 1] ?? "")) break;
  }
  return candidates;
}

// A run of backticks opens code that the next run of the same length closes; without one it is plain text.
function afterCode(text: string, start: number): number {
  let length = 1;
  while (text[start + length] === "`") length++;
  const fence = "`".repeat(length);
  for (let close = text.indexOf(fence, start + length); close >= 0; close = text.indexOf(fence, close + 1)) {
    if (text[close + length] !== "`" && text[close - 1] !== "`") return close + length;
    while (text[close + 1] === "`") close++;
  }
  return start + length;
}
