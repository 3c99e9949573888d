// Selects the fields that a form of an existing object sends: only the touched ones.

/** The values of a form's fields, by their names in the request body. */
type Typed<Body> = Readonly<Record<keyof Body, unknown>>;

/**
 * Leaves untouched fields out of the body: a field may show less than is stored, and somebody else may have changed
 * the value since the form was opened. `before` has the values at that moment.
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
