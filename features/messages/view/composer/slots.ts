// Extension points of the composer for later features, such as commands.
import { slot } from "../../../../web/ui/loading/slots.ts";
import type { Suggestion } from "./suggestion.ts";
import type { Sign } from "./tokens.ts";

interface Asked {
  serverId: string | null;
  sign: Sign;
  query: string;
  /** Called with the matching suggestions whenever they change; the function itself stays the same. */
  onFound(found: readonly Suggestion[]): void;
}

/** Renders nothing: a component that provides suggestions for the word. */
export const moreSuggestions = slot<Asked>();
