// The runs by caller: everything without a session, everything that leaves Alice signed in as Alice, and what ends or
// renews the caller's session as other people.
import type { Signed } from "./signed.ts";
import type { Stage } from "./stage.ts";

export interface Run {
  name: string;
  /** Headers of all calls of the run. */
  headers: Record<string, string>;
  /** Arguments for Schemathesis that select the operations. */
  filters: string[];
}

// Few examples, for calls that are refused for the same reason every time.
const few = ["--max-examples", "3"];

/** Operations after which the caller's session is over, or has another token. */
const ending = ["logout", "changePassword"];

export function runsFor({ session, throwaways, signed }: Stage): Run[] {
  return [
    // First, because signed bodies expire soon.
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
