// German words of the pages before signing in: login and registration.
import { german as passkeys } from "../../features/passkeys/view/words.de.ts";
import { german as passwordResets } from "../../features/password-resets/view/words.de.ts";
import { german as sessions } from "../../features/sessions/view/words.de.ts";
import type { GateWords } from "./gate.en.ts";

export const words: GateWords = {
  passkeys,
  passwordResets,
  sessions,
};
