// English words of the pages before signing in: login and registration.
import { english as passkeys } from "../../features/passkeys/view/words.en.ts";
import { english as passwordResets } from "../../features/password-resets/view/words.en.ts";
import { english as sessions } from "../../features/sessions/view/words.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  passkeys,
  passwordResets,
  sessions,
};

export type GateWords = Wide<typeof words>;
