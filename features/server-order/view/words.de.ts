// Texts of the list of all servers and of their order, in German.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("de");

export const german = {
  all: "Alle Server",
  find: "Server suchen",
  nothing: (query: string) => `Kein Server heißt „${query}“`,
  count: (all: number, unread: number) => `${numberOf(all)} Server, ${numberOf(unread)} ungelesen`,
  left: "Nach links",
  right: "Nach rechts",
  moveLeft: "Den Server mit dem Fokus nach links verschieben",
  moveRight: "Den Server mit dem Fokus nach rechts verschieben",
  moved: (server: string, place: number, of: number) => `${server}, ${place} von ${of}`,
  notMoved: "Der Server ließ sich nicht verschieben. Dieses Hearth ist nicht erreichbar.",
  muted: "stumm",
};
