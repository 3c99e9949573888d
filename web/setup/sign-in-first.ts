// What a refusal means while the instance is set up: without a session there is nobody who could go on.
import { CallError } from "../../client/call.ts";
import { finish } from "./progress.ts";

/** Returns the refusal. When the session has ended, signing in comes first; what is left is in the console. */
export function signInFirst(failure: unknown): CallError {
  const refusal = CallError.from(failure);
  if (refusal.status === 401) finish("/login");
  return refusal;
}
