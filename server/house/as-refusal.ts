// What goes wrong inside, as the refusal that a caller gets to see.
import { Refusal } from "../../protocol/errors.ts";
import type { House } from "./house.ts";

/** A refusal as it is; anything else as `unavailable` (503) or, after a line in the log, as `internal` (500). */
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
