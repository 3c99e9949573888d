// Finds regular expressions that restart at many positions of one text and scan to its end each time: /<a>(.*?)<\/a>/
// in "<a><a><a>". scslre knows only starts of a single character, and no words between two stars.
import {
  type Concatenation,
  type Element,
  getIntersectionWords,
  JS,
  NFA,
  type NoParent,
  type Quantifier,
} from "refa";

/** An unbounded quantifier, with the elements before it and after it. */
interface Star {
  star: NoParent<Quantifier>;
  before: readonly NoParent<Element>[];
  after: readonly NoParent<Element>[];
}

/**
 * Returns a word for each way in which the time may grow with the square: repeated through a text, each occurrence
 * starts a match that a star extends to the end of the text in vain.
 */
export function repeatedStarts(source: string, flags: string): string[] {
  const parser = JS.Parser.fromLiteral({ source, flags });
  const { expression, maxCharacter } = parser.parse({ assertions: "parse", backreferences: "disable" });
  const language = (elements: readonly NoParent<Element>[]) => {
    const all: NoParent<Concatenation> = { type: "Concatenation", elements: [...elements] };
    return NFA.fromRegex(all, { maxCharacter }, { assertions: "ignore" });
  };
  const stars = [...starsIn(expression.alternatives, [], [])];
  return stars.flatMap(({ star, before, after }) => {
    // A star with nothing required after it cannot fail at the end.
    if (after.every(mayBeNothing)) return [];
    const own = language([star]);
    const whole = isAnchored(before) ? [] : [shared(language(before), own)];
    // An earlier star gives its words back one by one, and this one takes all that follow.
    const between = stars.flatMap((other) => {
      const at = before.indexOf(other.star);
      if (at < 0) return [];
      const both = NFA.fromIntersection(language([other.star]), own);
      return [shared(language(before.slice(at + 1)), both)];
    });
    return [...whole, ...between].filter((word) => word !== undefined);
  });
}

function* starsIn(
  alternatives: readonly { elements: readonly NoParent<Element>[] }[],
  before: readonly NoParent<Element>[],
  after: readonly NoParent<Element>[],
): Iterable<Star> {
  for (const { elements } of alternatives)
    for (const [index, element] of elements.entries()) {
      const sooner = [...before, ...elements.slice(0, index)];
      const later = [...elements.slice(index + 1), ...after];
      if (element.type === "Quantifier" && element.max === Number.POSITIVE_INFINITY)
        yield { star: element, before: sooner, after: later };
      if ("alternatives" in element) yield* starsIn(element.alternatives, sooner, later);
    }
}

function mayBeNothing(element: NoParent<Element>): boolean {
  if (element.type === "Quantifier" && element.min === 0) return true;
  if (element.type !== "Quantifier" && element.type !== "Alternation") return false;
  return element.alternatives.some(({ elements }) => elements.every(mayBeNothing));
}

/** True if the elements begin with ^, so that only one start is tried. */
function isAnchored([first]: readonly NoParent<Element>[]): boolean {
  if (first?.type !== "Assertion" || first.kind !== "behind" || !first.negate) return false;
  const [only] = first.alternatives[0]?.elements ?? [];
  return only?.type === "CharacterClass" && only.characters.isAll;
}

/** Returns the shortest non-empty word of both. */
function shared(one: NFA, other: NFA): string | undefined {
  one.withoutEmptyWord();
  for (const word of getIntersectionWords(one, other)) return String.fromCodePoint(...word);
  return undefined;
}
