// Maps every nick to a username: nicks may contain characters that usernames may not.

const VALID = /^[A-Za-z0-9_.-]{2,32}$/;
const LONGEST = 32;

/** Returns a deterministic mapping for nicks in the same order. A nick that is a valid username stays as it is. */
export function nameEveryone(nicks: string[], reserved: string[]): Map<string, string> {
  const taken = new Set(["everyone", "here", ...reserved].map((name) => name.toLowerCase()));
  const names = new Map<string, string>();
  const valid = nicks.filter((nick) => VALID.test(nick));
  const others = nicks.filter((nick) => !VALID.test(nick));
  for (const nick of [...valid, ...others]) {
    if (names.has(nick)) continue;
    const name = firstFree(nick, taken);
    taken.add(name.toLowerCase());
    names.set(nick, name);
  }
  return names;
}

function firstFree(nick: string, taken: Set<string>): string {
  const plain = nick
    .replace(/[^A-Za-z0-9_.-]/gu, "_")
    .slice(0, LONGEST)
    .padEnd(2, "_");
  for (let number = 1; ; number++) {
    const ending = number === 1 ? "" : `-${number}`;
    const name = plain.slice(0, LONGEST - ending.length) + ending;
    if (!taken.has(name.toLowerCase())) return name;
  }
}
