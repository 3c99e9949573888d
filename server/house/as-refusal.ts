// Turns any error into a refusal, which the caller gets as the answer.
import { Refusal } from "../../protocol/errors.ts";
import { movedSentence } from "../database/moved.ts";
import type { House } from "./house.ts";

/** True if the database has moved: first its triggers refuse writes with this message, then the gate does. */
function hasMoved(error: unknown): boolean {
  return error instanceof Error && (error.message === movedSentence || hasMoved(error.cause));
}

/**
 * Returns a refusal as it is; `unavailable` (503) when the database is away; for any other error `internal` (500), with
 * a line in the log under this request id.
 */
export function asRefusal(house: House, error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (hasMoved(error))
    return new Refusal("unavailable", "This Hearth has moved. Ask the operator where it is now.", {
      retryAfter: 60,
    });
  if (house.database.isAway(error)) {
    return new Refusal("unavailable", "The database does not answer at the moment. Try again shortly.", {
      retryAfter: 2,
    });
  }
  house.log.error({ request_id: requestId, err: error }, "an operation failed");
  return new Refusal("internal", "Something went wrong on our side. Tell the operator the request id.");
}
