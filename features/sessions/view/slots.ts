// Extension points of the sign-in and registration pages for later features.
import { slot } from "../../../web/ui/loading/slots.ts";

/** Before the password: other ways to sign in, each followed by a line that leads over to the next. */
export const otherWays = slot<{ onSignedIn(userId: string): void }>();

/** True if the password comes first, because no other way can be used. */
export const firstWay = { isPassword: false };

/** Replaces the form once the account is created. Each part shows itself, or reports at once that it is done. */
export const afterRegistering = slot<{ onDone(): void }>();
