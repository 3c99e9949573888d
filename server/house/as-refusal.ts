// Turns any error into the refusal that the caller is answered with.
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "./house.ts";

/**
 * Returns a refusal as it is; `unavailable` (503) when the database is away; for any other error `internal` (500), with
 * a line in the log under this request id.
 */
export function asRefusal(house: House, error: unknown, requestId: string): Refusal {
  if (error instanceof Refusal) return error;
  if (house.database.isAway(error)) {
    return new Refusal("unavailable", "The database does not answer at the moment. Try again shortly.", {
      retryAfter: 2,
    });
  }
  house.log.error({ request_id: requestId, err: error }, "an operation failed");
  return new Refusal("internal", "Something went wrong on our side. Tell the operator the request id.");
}
