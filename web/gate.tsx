// The bundle of pages before the house: signing in, registering, resetting a password.
import { whyNoPasskeys } from "../features/passkeys/view/capable.ts";
import { OfferPasskey } from "../features/passkeys/view/offer-passkey.tsx";
import { SignInByPasskey } from "../features/passkeys/view/sign-in-by-passkey.tsx";
import { afterRegistering, firstWay, otherWays } from "../features/sessions/view/slots.ts";
import { fill } from "./ui/loading/slots.ts";

export { ResetPage } from "../features/password-resets/view/reset-page.tsx";
export { LoginPage } from "../features/sessions/view/login.tsx";
export { RegisterPage } from "../features/sessions/view/register.tsx";

fill(otherWays, SignInByPasskey);
firstWay.isPassword = whyNoPasskeys() !== undefined;
fill(afterRegistering, OfferPasskey);
