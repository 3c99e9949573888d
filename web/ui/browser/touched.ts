// The fields that a form of an existing thing sends: those that were touched.

/** The values in the fields of a form, by the names that they have in the body. */
type Typed<Body> = Readonly<Record<keyof Body, unknown>>;

/**
 * Leaves out of the body what was not touched: a field may show less than what is stored, and somebody else may have
 * changed it since the form was opened. `before`: the values of that moment.
 */
export function touched<Body extends object>(
  body: Body,
  typed: Typed<Body>,
  before: Typed<Body>,
): Partial<Body> {
  const fields = Object.entries(body).filter(([name]) => {
    const field = name as keyof Body;
    return typed[field] !== before[field];
  });
  return Object.fromEntries(fields) as Partial<Body>;
}
