// What people paste for an invite: its code, or a whole link with the code at its end.

/** Returns the code; undefined when it can be none. */
export function inviteCodeIn(pasted: string): string | undefined {
  const text = pasted.trim();
  const [, linked] = /\/invite\/([^/?#\s]+)/.exec(text) ?? [];
  const code = linked ?? text;
  return /^[A-Za-z0-9_-]{1,64}$/.test(code) ? code : undefined;
}
