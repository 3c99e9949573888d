// Texts of the list of all servers and of their order, in English.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("en");

export const english = {
  all: "All servers",
  find: "Find a server",
  nothing: (query: string) => `No server called “${query}”`,
  count: (all: number, unread: number) => `${numberOf(all)} servers, ${numberOf(unread)} unread`,
  left: "Move left",
  right: "Move right",
  moveLeft: "Move the server that has the focus to the left",
  moveRight: "Move the server that has the focus to the right",
  moved: (server: string, place: number, of: number) => `${server}, ${place} of ${of}`,
  notMoved: "The server could not be moved. This Hearth cannot be reached.",
  muted: "muted",
};
