// Counts what reading a text and drawing it costs, so that no text costs much more than its length.

/** A text that costs more steps than this for each of its letters is shown as it was typed. */
const mostPerLetter = 40;
const mostForAny = 2000;
/**
 * A text of more parts is shown as it was typed. A list of nearly three hundred lines has as many, or one of over a
 * hundred links or calls.
 */
export const mostParts = 600;
/**
 * Names of hosts are translated into ASCII in time that grows with the square of their letters. A text with more of them
 * is shown as it was typed: it would hold sixteen names of sixty letters, or every one of twenty that it has room for.
 */
const mostTranslated = 60_000;

export class TooManySteps extends Error {}

export class Steps {
  taken = 0;
  /** The parts of what was read so far, but for emphasis that is nested too deeply to be shown. */
  parts = 0;
  readonly #most: number;
  #translated = 0;

  constructor(length: number) {
    this.#most = mostForAny + mostPerLetter * length;
  }

  /** Notes that so many letters were looked at. Throws TooManySteps when the text is not worth it. */
  take(letters: number): void {
    this.taken += letters;
    if (this.taken > this.#most) throw new TooManySteps();
  }

  /** Notes parts that will have to be drawn. Throws TooManySteps once they are too many: the rest need not be read. */
  draw(parts: number): void {
    this.parts += parts;
    if (this.parts > mostParts) throw new TooManySteps();
  }

  /** Notes a name that has to be translated. Throws TooManySteps once they are too much. */
  translate(letters: number): void {
    this.#translated += letters ** 2;
    if (this.#translated > mostTranslated) throw new TooManySteps();
  }
}
