// Questions that a feature asks of later features, without knowing which of them answer.
import type { UnitOfWork } from "./unit.ts";

/** Declared by the feature that asks, in its `access.ts`; the machine declares its own beside the code that asks. */
export interface Question<Args extends readonly unknown[], Answer> {
  /** The asking feature, and the thing asked for: `channels.lastMessages`. */
  readonly name: string;
  /** Never set: the compiler reads the types of the arguments and of the answer from it. */
  readonly asks?: (...args: Args) => Answer;
}

type AnyQuestion = Question<never, unknown>;

/** Declares a question; with the answer `void` it asks later features to act. */
export function question<Args extends readonly unknown[], Answer>(name: string): Question<Args, Answer> {
  return { name };
}

/** A feature's answer to a question of an earlier one. */
export interface Answering {
  readonly question: AnyQuestion;
  answer(unit: UnitOfWork, ...args: readonly unknown[]): unknown;
}

/** Binds a question to the function that answers it, in the unit of the feature that asks. */
export function whenAsked<Args extends readonly unknown[], Answer>(
  question: Question<Args, Answer>,
  answer: (unit: UnitOfWork, ...args: Args) => Promise<Answer> | Answer,
): Answering {
  return { question: question as AnyQuestion, answer: answer as Answering["answer"] };
}

/** All features' answers, by question, in the order of the list of features. */
export class Answerings {
  readonly #byQuestion: ReadonlyMap<AnyQuestion, readonly Answering[]>;

  constructor(answerings: readonly Answering[]) {
    this.#byQuestion = Map.groupBy(answerings, ({ question }) => question);
  }

  /** Returns all answers, collected one after the other, as all features read and write through the same unit. */
  async ask<Args extends readonly unknown[], Answer>(
    unit: UnitOfWork,
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
