// Limits that older code may still exceed: such entries are listed with their size, and a list only ever gets shorter.

export type Sizes = Readonly<Record<string, number>>;

/** Entries by the release in which they must be gone. */
export type ByRelease<Entries> = Readonly<Record<string, Entries>>;

export function everySize(list: ByRelease<Sizes>): Sizes {
  return Object.assign({}, ...Object.values(list));
}

/** Returns a sentence for each entry that is overdue in this version. */
export function overdue(list: ByRelease<Sizes | readonly string[]>, version: string): string[] {
  return Object.entries(list)
    .filter(([release]) => Bun.semver.order(version, release) >= 0)
    .flatMap(([release, entries]) => {
      const names = Array.isArray(entries) ? entries : Object.keys(entries);
      return names.map((name) => `${name} was to be mended by ${release}, and this is ${version}.`);
    });
}

interface Wording {
  /** The unit of the sizes: `lines`. */
  unit: string;
  /** How to reduce the size. */
  remedy: string;
}

/** Returns a sentence for each difference between the sizes found and those listed: what to change, and where. */
export function slipped(found: Sizes, limit: number, listed: Sizes, { unit, remedy }: Wording): string[] {
  const above = Object.entries(found).filter(([name, size]) => size > (listed[name] ?? limit));
  const below = Object.entries(listed).filter(([name, size]) => (found[name] ?? 0) < size);
  return [
    ...above.map(([name, size]) =>
      name in listed
        ? `${name} has grown from ${listed[name]} ${unit} to ${size}, and the list only shrinks: ${remedy}.`
        : `${name} has ${size} ${unit}, ${limit} are the most: ${remedy}.`,
    ),
    ...below.map(([name, size]) => {
      const now = found[name] ?? 0;
      if (name in found && now > limit)
        return `${name} has only ${now} ${unit} now: write ${now} for ${size} in the list.`;
      return `${name} is ${name in found ? `down to ${now} ${unit}` : "gone"}: take it out of the list.`;
    }),
  ];
}

/** The same for entries without a size. */
export function strayed(found: readonly string[], listed: readonly string[], instead: string): string[] {
  return [
    ...found.filter((each) => !listed.includes(each)).map((each) => `${each} is new: ${instead}.`),
    ...listed
      .filter((each) => !found.includes(each))
      .map((each) => `${each} is gone: take it out of the list.`),
  ];
}
