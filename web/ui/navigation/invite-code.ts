// Parses a pasted invite: a code, or a link that ends with the code.

/** Returns the code; undefined when the text contains no possible code. */
export function inviteCodeIn(pasted: string): string | undefined {
  const text = pasted.trim();
  const [, linked] = /\/invite\/([^/?#\s]+)/.exec(text) ?? [];
  const code = linked ?? text;
  return /^[A-Za-z0-9_-]{1,64}$/.test(code) ? code : undefined;
}
