// English words of every page: shared controls, and messages for when the instance does not answer.
import { english as instance } from "../../features/instance/view/words.en.ts";
import { english as parts } from "../ui/words/parts.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  instance,
  parts,
};

export type FirstWords = Wide<typeof words>;
