// English, before one is inside: what the pages of signing in and registering need.
import { english as instance } from "../../features/instance/view/words.en.ts";
import { english as passkeys } from "../../features/passkeys/view/words.en.ts";
import { english as passwordResets } from "../../features/password-resets/view/words.en.ts";
import { english as sessions } from "../../features/sessions/view/words.en.ts";
import { english as settings } from "../settings/words.en.ts";
import { english as parts } from "../ui/parts.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  instance,
  parts,
  passkeys,
  passwordResets,
  sessions,
  settings,
};

export type FirstWords = Wide<typeof words>;
