// What tests look for in a description: everything that stands in it, and what its references lead to.

export type Schema = { readonly [key: string]: unknown };

/** Every object inside, with the path to it. */
export function* everythingIn(value: unknown, at = "#"): Generator<[string, Schema]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Schema];
  for (const [key, each] of Object.entries(value)) yield* everythingIn(each, `${at}/${key}`);
}

/** Returns what `#/a/b` leads to in the document. */
export function found(document: Schema, reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((into, key) => (into as Schema | undefined)?.[key], document);
}
