// Texts of direct conversations that stand in the first view, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("de");

export const german = {
  title: "Direktnachrichten",
  unread: (count: number) => `${numberOf(count)} ungelesen`,
};
