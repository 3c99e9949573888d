// What a step of the first run does: without a session there is nobody who could go on.
import { CallError } from "../../client/call.ts";
import { type Act, useAct } from "../ui/overlays/act.ts";
import { finish } from "./progress.ts";

/** When the session has ended, signing in comes first; what is left of the first run is in the console. */
export function useStepAct(): Act {
  const act = useAct();
  return { ...act, run: (work) => act.run(() => work().catch(signInFirst)) };
}

function signInFirst(failure: unknown): never {
  const refusal = CallError.from(failure);
  if (refusal.status === 401) finish("/login");
  throw refusal;
}
