// Removing what may have been removed elsewhere meanwhile, as on another device or by a colleague.
import { CallError } from "../../../client/call.ts";

/** Waits for a removal. A thing that is not there any more counts as removed; throws CallError for anything else. */
export async function untilGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (CallError.from(error).code !== "not_found") throw error;
  }
}
