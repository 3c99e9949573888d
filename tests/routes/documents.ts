// Helpers to search a description: walks all of its objects, and resolves its references.

export type Schema = { readonly [key: string]: unknown };

/** Every object in a value, with the path to it. */
export function* everythingIn(value: unknown, at = "#"): Generator<[string, Schema]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [at, value as Schema];
  for (const [key, each] of Object.entries(value)) yield* everythingIn(each, `${at}/${key}`);
}

/** Resolves a reference like `#/a/b` in the document. */
export function found(document: Schema, reference: string): unknown {
  return reference
    .slice(2)
    .split("/")
    .reduce<unknown>((into, key) => (into as Schema | undefined)?.[key], document);
}
