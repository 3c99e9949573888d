// Shortcuts for the message whose row has the focus.
import { run, subjectOf } from "./subject.ts";
import { type Deed, hasKey, verbs } from "./verbs.ts";

interface Given extends Pick<Deed, "message" | "house" | "words" | "row"> {
  isShift: boolean;
}

/** `key` is a `KeyboardEvent.key`. Returns whether the key was handled. */
export function doByKey(key: string, { message, house, words, row, isShift }: Given): boolean {
  const verb = verbs.find((each) => each.key === key.toLowerCase() && hasKey(each));
  const subject = verb && subjectOf(message, house);
  if (!verb || !subject || !verb.applies(subject)) return false;
  const isAtOnce = isShift && verb.isDanger === true;
  run(verb, { ...subject, house, words, row, opener: row, isAtOnce });
  return true;
}
