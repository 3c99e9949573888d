// Ends several passkeys: each one left over would open the account without the password.
import { CallError } from "../../../../client/call.ts";

/**
 * Ends them one after the other. One that is gone already counts as ended. One that cannot be ended holds up none behind
 * it; what the first of those threw is thrown at the end.
 */
export async function endEach<Passkey>(
  passkeys: readonly Passkey[],
  end: (passkey: Passkey) => Promise<unknown>,
  ended: (passkey: Passkey) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const passkey of passkeys) {
    const failure = await failureOf(end(passkey));
    if (failure === undefined) ended(passkey);
    else failures.push(failure);
  }
  if (failures.length > 0) throw failures[0];
}

async function failureOf(ending: Promise<unknown>): Promise<CallError | undefined> {
  try {
    await ending;
    return undefined;
  } catch (error) {
    const refusal = CallError.from(error);
    return refusal.code === "not_found" ? undefined : refusal;
  }
}
