// Who calls what: nobody everything, Alice all that leaves her signed in, and others what ends or renews their session.
import type { Signed } from "./signed.ts";
import type { Stage } from "./stage.ts";

export interface Run {
  name: string;
  /** Headers that all its calls carry. */
  headers: Record<string, string>;
  /** Words for Schemathesis: which operations. */
  filters: string[];
}

// They are refused for the same reason again and again.
const few = ["--max-examples", "3"];

/** After these the caller's session is over, or has another token. */
const ending = ["logout", "changePassword"];

export function runsFor({ session, throwaways, signed }: Stage): Run[] {
  return [
    // First of all: what is signed is soon too old.
    ...signed.map(withSigned),
    { name: "nobody", headers: {}, filters: few },
    {
      name: "Alice",
      headers: { Cookie: cookieOf(session) },
      filters: ending.flatMap((operation) => ["--exclude-operation-id", operation]),
    },
    ...ending.map((operation, i) => ({
      name: `${operation}, with a session that it may end`,
      headers: { Cookie: cookieOf(throwaways[i] ?? "") },
      filters: [...few, "--include-operation-id", operation],
    })),
  ];
}

function withSigned({ operation, cookie, authorization, session }: Signed): Run {
  const cookies = [session && cookieOf(session), cookie].filter(Boolean);
  return {
    name: `${operation}, with what was signed for it`,
    headers: {
      ...(cookies.length > 0 && { Cookie: cookies.join("; ") }),
      ...(authorization && { Authorization: authorization }),
    },
    filters: [...few, "--include-operation-id", operation],
  };
}

function cookieOf(session: string): string {
  return `app_session=${session}`;
}
