// English, for every page: what the instance is called, and what parts of all of them say.
import { english as instance } from "../../features/instance/view/words.en.ts";
import { english as settings } from "../settings/words.en.ts";
import { english as parts } from "../ui/parts.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  instance,
  parts,
  settings,
};

export type FirstWords = Wide<typeof words>;
