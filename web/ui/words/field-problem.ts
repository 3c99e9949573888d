// Turns the server's message about a field, an English clause, into a sentence in the reader's language.
import type { CallError } from "../../../client/call.ts";
import { currentWords } from "./words.ts";

export function fieldProblem(error: CallError | undefined, field: string): string | undefined {
  const said = error?.fields.find(({ path }) => path.split(".")[0] === field)?.message;
  return said === undefined ? undefined : currentWords().parts.ofField(said);
}
