// Texts of direct conversations that stand in the first view, in English.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("en");

export const english = {
  title: "Direct messages",
  unread: (count: number) => `${numberOf(count)} unread`,
};
