// Signing out on purpose: the session ends at the server, and nothing that was kept here for the person stays.
import { CallError } from "../../../client/call.ts";
import { dropBelongings } from "../../../web/ui/session/belongings.ts";
import { noteSignedOut, remember } from "../../../web/ui/session/entering.ts";
import { logout } from "../calls.ts";

/**
 * Ends with the page of signing in, which leads on to `wish`. Throws CallError where the server could not be asked: the
 * session would go on, and only the server can end it.
 */
export async function signOut(wish?: string): Promise<void> {
  await logout().catch((error: unknown) => {
    const refusal = CallError.from(error);
    // It has ended already.
    if (refusal.status !== 401) throw refusal;
  });
  await dropBelongings();
  noteSignedOut();
  if (wish) remember(wish);
  location.assign("/login");
}
