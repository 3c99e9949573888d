// Single-letter shortcuts for the message whose row has the focus.
import { lettersOn } from "../../../../web/ui/keys/key-choices.ts";
import { run, subjectOf } from "./subject.ts";
import { type Deed, verbs } from "./verbs.ts";

interface Given extends Pick<Deed, "message" | "house" | "words" | "row"> {
  isShift: boolean;
}

/** `key` is a `KeyboardEvent.key`. Returns whether the key was handled. */
export function doByKey(key: string, { message, house, words, row, isShift }: Given): boolean {
  const verb = lettersOn() ? verbs.find((each) => each.key === key.toLowerCase()) : undefined;
  const subject = verb && subjectOf(message, house);
  if (!verb || !subject || !verb.applies(subject)) return false;
  const isAtOnce = isShift && verb.isDanger === true;
  run(verb, { ...subject, house, words, row, opener: row, isAtOnce });
  return true;
}
