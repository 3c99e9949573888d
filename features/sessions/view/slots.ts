// Places that the pages of signing in and registering leave for later features.
import { slot } from "../../../web/ui/loading/slots.ts";

/** Before the password: other ways to sign in, each with a line below that leads over to the next. */
export const otherWays = slot<{ onSignedIn(userId: string): void }>();

/** Where none of them can be used, the password comes first. */
export const firstWay = { isPassword: false };

/** In place of the form, once the account is made. Each shows itself, or says at once that it is done. */
export const afterRegistering = slot<{ onDone(): void }>();
