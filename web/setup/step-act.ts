// The action of a step of the first run, which needs a session.
import { CallError } from "../../client/call.ts";
import { type Act, useAct } from "../ui/overlays/act.ts";
import { finish } from "./progress.ts";

/** When the session has ended, leads to the login page: the remaining settings are in the console. */
export function useStepAct(): Act {
  const act = useAct();
  return { ...act, run: (work, done) => act.run((signal) => work(signal).catch(signInFirst), done) };
}

function signInFirst(failure: unknown): never {
  const refusal = CallError.from(failure);
  if (refusal.status === 401) finish("/login");
  throw refusal;
}
