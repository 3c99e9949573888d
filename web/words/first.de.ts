// German, for every page: what parts of all of them say, and what is said where the instance does not answer.
import { german as instance } from "../../features/instance/view/words.de.ts";
import { german as parts } from "../ui/words/parts.de.ts";
import type { FirstWords } from "./first.en.ts";

export const words: FirstWords = {
  instance,
  parts,
};
