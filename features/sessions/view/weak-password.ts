// Why a new password is weak: guessing programs try it first.

export type Weakness = "common" | "own name";

/** `names`: the username and e-mail address of the account. */
export function weaknessOf(
  password: string,
  names: readonly string[],
  common: ReadonlySet<string>,
): Weakness | undefined {
  const typed = password.toLowerCase();
  if (typed === "") return undefined;
  const own = names.flatMap((name) => [name, name.split("@")[0] ?? ""]).map((name) => name.toLowerCase());
  if (own.includes(typed)) return "own name";
  return common.has(typed) ? "common" : undefined;
}
