// What later features put into the composer, which it cannot know: commands, say.
import { slot } from "../../../../web/ui/loading/slots.ts";
import type { Suggestion } from "./suggestion.ts";
import type { Sign } from "./tokens.ts";

interface Asked {
  serverId: string;
  sign: Sign;
  query: string;
  /** Called with what fits, whenever that changes; it stays the same function. */
  onFound(found: readonly Suggestion[]): void;
}

/** Draws nothing: it finds something to complete a word with. */
export const moreSuggestions = slot<Asked>();
