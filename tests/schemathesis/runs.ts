// Who calls what: nobody everything, Alice all that leaves her signed in, and others what ends or renews their session.
import type { Stage } from "./stage.ts";

export interface Run {
  name: string;
  /** The session that the calls carry; without one, they carry nothing. */
  session?: string;
  /** Words for Schemathesis: which operations. */
  filters: string[];
}

// They are refused for the same reason again and again.
const few = ["--max-examples", "3"];

/** After these the caller's session is over, or has another token. */
const ending = ["logout", "changePassword"];

export function runsFor(stage: Stage): Run[] {
  return [
    { name: "nobody", filters: few },
    {
      name: "Alice",
      session: stage.session,
      filters: ending.flatMap((operation) => ["--exclude-operation-id", operation]),
    },
    ...ending.map((operation, i) => ({
      name: `${operation}, with a session that it may end`,
      session: stage.throwaways[i] ?? "",
      filters: [...few, "--include-operation-id", operation],
    })),
  ];
}
