// German, for every page: what the instance is called, and what parts of all of them say.
import { german as instance } from "../../features/instance/view/words.de.ts";
import { german as settings } from "../settings/words.de.ts";
import { german as parts } from "../ui/parts.de.ts";
import type { FirstWords } from "./first.en.ts";

export const words: FirstWords = {
  instance,
  parts,
  settings,
};
