// Deletes several passkeys: each one left would open the account without the password.
import { CallError } from "../../../../client/call.ts";

/**
 * Deletes them one after the other. A passkey that is already gone counts as deleted. A failure does not stop the rest;
 * the first error is thrown at the end.
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
