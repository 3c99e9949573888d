// Counts the cost of parsing and drawing a text, so that no text costs much more than its length.

/** A text that costs more steps than this per letter is shown as typed. */
const mostPerLetter = 40;
const mostForAny = 2000;
/**
 * A text with more parts is shown as typed. A list of nearly three hundred lines reaches this, or one of over a hundred
 * links or mentions.
 */
export const mostParts = 600;
/**
 * Host names are converted to ASCII in time quadratic in their length. A text with a larger sum of squares is shown as
 * typed: sixteen names of sixty letters fit, or all names of twenty letters that a text has room for.
 */
const mostTranslated = 60_000;

export class TooManySteps extends Error {}

export class Steps {
  taken = 0;
  /** Parts read so far, except emphasis that is nested too deeply to be shown. */
  parts = 0;
  readonly #most: number;
  #translated = 0;

  constructor(length: number) {
    this.#most = mostForAny + mostPerLetter * length;
  }

  /** Counts letters that were looked at. Throws TooManySteps beyond the budget of the text. */
  take(letters: number): void {
    this.taken += letters;
    if (this.taken > this.#most) throw new TooManySteps();
  }

  /** Counts parts to be drawn. Throws TooManySteps once there are too many: the rest need not be read. */
  draw(parts: number): void {
    this.parts += parts;
    if (this.parts > mostParts) throw new TooManySteps();
  }

  /** Counts a name to be converted to ASCII. Throws TooManySteps beyond the limit. */
  translate(letters: number): void {
    this.#translated += letters ** 2;
    if (this.#translated > mostTranslated) throw new TooManySteps();
  }
}
