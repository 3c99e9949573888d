// German, before one is inside: what the pages of signing in and registering need.
import { german as instance } from "../../features/instance/view/words.de.ts";
import { german as passkeys } from "../../features/passkeys/view/words.de.ts";
import { german as passwordResets } from "../../features/password-resets/view/words.de.ts";
import { german as sessions } from "../../features/sessions/view/words.de.ts";
import { german as settings } from "../settings/words.de.ts";
import { german as parts } from "../ui/parts.de.ts";
import type { FirstWords } from "./first.en.ts";

export const words: FirstWords = {
  instance,
  parts,
  passkeys,
  passwordResets,
  sessions,
  settings,
};
