// State of a registration form: input, validation, and the call that creates the account.
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { forgetInstance } from "../../instance/view/instance.ts";
import { register } from "../calls.ts";
import { type Answers, type Fault, faultOf, fieldNames, firstFault, noAnswers } from "./answers.ts";

interface Options {
  /** Additional codes to send. */
  more(): { invite_code?: string; setup_code?: string };
  onRegistered(userId: string): Promise<void> | void;
}

export interface Registering {
  answers: Answers;
  /** Our own validation result, or the server's sentence; undefined while the field is valid or untouched. */
  problemOf(name: keyof Answers): { fault: Fault } | { sentence: string } | undefined;
  type(name: keyof Answers, value: string): void;
  leave(name: keyof Answers): void;
  isBusy: boolean;
  /** A rejection that does not concern a single field. */
  error: CallError | undefined;
  /** Set when the form was sent with a fault in this field, which then receives the focus. */
  wrongField: { name: keyof Answers } | undefined;
  send(): void;
}

export function useRegistering({ more, onRegistered }: Options): Registering {
  const [answers, setAnswers] = useState(noAnswers);
  const [left, setLeft] = useState<ReadonlySet<keyof Answers>>(new Set());
  const [error, setError] = useState<CallError>();
  const [refused, setRefused] = useState<Partial<Answers>>({});
  const [isBusy, setBusy] = useState(false);
  const [wrongField, setWrongField] = useState<Registering["wrongField"]>();

  async function create() {
    const wrong = firstFault(answers);
    setLeft(new Set(fieldNames));
    setWrongField(wrong && { name: wrong });
    if (wrong || isBusy) return;
    setBusy(true);
    setError(undefined);
    setRefused({});
    try {
      const { id } = await register({ body: { ...trimmed(answers), ...more() } });
      forgetInstance();
      await onRegistered(id);
    } catch (failure) {
      const refusal = CallError.from(failure);
      const sentences = sentencesOf(refusal);
      setRefused(sentences);
      if (Object.keys(sentences).length === 0) setError(refusal);
      setBusy(false);
    }
  }

  function problemOf(name: keyof Answers) {
    const fault = left.has(name) ? faultOf(name, answers[name]) : undefined;
    const sentence = refused[name];
    return sentence === undefined ? fault && { fault } : { sentence };
  }

  function type(name: keyof Answers, value: string) {
    setAnswers((before) => ({ ...before, [name]: value }));
    setRefused(({ [name]: _, ...others }) => others);
  }

  // An empty field that the user only passes through is not an error yet.
  function leave(name: keyof Answers) {
    if (answers[name] !== "") setLeft((before) => new Set(before).add(name));
  }

  return { answers, problemOf, type, leave, isBusy, error, wrongField, send: () => void create() };
}

function trimmed({ email, username, display_name, password }: Answers): Answers {
  return { email: email.trim(), username: username.trim(), display_name: display_name.trim(), password };
}

/** Returns the server's sentences about single fields of the form. */
function sentencesOf(refusal: CallError): Partial<Answers> {
  const sentences = fieldNames.map((name) => [name, fieldProblem(refusal, name)] as const);
  return Object.fromEntries(sentences.filter(([, sentence]) => sentence !== undefined));
}
