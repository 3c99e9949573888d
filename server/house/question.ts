// Questions: what a feature asks of those that come after it, without knowing which of them can tell.
import type { Unit } from "./unit.ts";

/** Declared by the feature that asks, in its `access.ts`; the machine declares its own beside what asks them. */
export interface Question<Args extends readonly unknown[], Answer> {
  /** Where it is asked, and what for: `channels.lastMessages`. */
  readonly name: string;
  /** Never set: it keeps in the type what is given and what is answered. */
  readonly asks?: (...args: Args) => Answer;
}

type AnyQuestion = Question<never, unknown>;

/** Declares a question; with the answer `void` it asks later features to do something of theirs. */
export function question<Args extends readonly unknown[], Answer>(name: string): Question<Args, Answer> {
  return { name };
}

/** What a feature knows: a question of an earlier one, and how it is answered. */
export interface Answering {
  readonly question: AnyQuestion;
  answer(unit: Unit, ...args: readonly unknown[]): unknown;
}

/** Binds a question to the function that answers it, in the unit of whoever asks. */
export function whenAsked<Args extends readonly unknown[], Answer>(
  question: Question<Args, Answer>,
  answer: (unit: Unit, ...args: Args) => Promise<Answer> | Answer,
): Answering {
  return { question: question as AnyQuestion, answer: answer as Answering["answer"] };
}

/** Who answers what: for each question those features that know, in the order of the list. */
export class Answerings {
  readonly #byQuestion: ReadonlyMap<AnyQuestion, readonly Answering[]>;

  constructor(answerings: readonly Answering[]) {
    this.#byQuestion = Map.groupBy(answerings, ({ question }) => question);
  }

  /** One after the other, as all read and write through the same unit. */
  async ask<Args extends readonly unknown[], Answer>(
    unit: Unit,
    question: Question<Args, Answer>,
    args: Args,
  ): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (const { answer } of this.#byQuestion.get(question as AnyQuestion) ?? []) {
      answers.push((await answer(unit, ...args)) as Answer);
    }
    return answers;
  }
}
