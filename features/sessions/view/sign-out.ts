// Signing out: ends the session at the server, and deletes everything stored here for the person.
import { CallError } from "../../../client/call.ts";
import { dropBelongings } from "../../../web/ui/session/dropping.ts";
import { noteSignedOut, remember } from "../../../web/ui/session/entering.ts";
import { finishPending } from "../../../web/ui/session/leaving.ts";
import { logout } from "../calls.ts";

/**
 * Opens the sign-in page, which continues to `wish`. Throws CallError if the server is unreachable: the session would
 * go on, and only the server can end it.
 */
export async function signOut(wish?: string): Promise<void> {
  await finishPending();
  await logout().catch((error: unknown) => {
    const refusal = CallError.from(error);
    // The session has ended already.
    if (refusal.status !== 401) throw refusal;
  });
  await dropBelongings();
  noteSignedOut();
  if (wish) remember(wish);
  location.assign("/login");
}
