// German words of every page: shared controls, and messages for when the instance does not answer.
import { german as instance } from "../../features/instance/view/words.de.ts";
import { german as parts } from "../ui/words/parts.de.ts";
import type { FirstWords } from "./first.en.ts";

export const words: FirstWords = {
  instance,
  parts,
};
