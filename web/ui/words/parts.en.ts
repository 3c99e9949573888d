// The words of shared controls in English.
import { numberIn } from "./numbers.ts";

const numberOf = numberIn("en");

export const english = {
  tryAgain: "Try again",
  tryAgainNow: "It can be tried again now.",
  wait: (time: string) => `Too many attempts. Wait ${time}.`,
  unreachable: "The server cannot be reached. Nothing is lost; try again.",
  failed: (requestId: string) =>
    `The server failed. Nothing is lost; try again.${requestId && ` (Request ${requestId})`}`,
  loading: "Loading",
  slow: "The page is on its way. It opens by itself as soon as it is here.",
  fault: "This part of the page broke. Nothing that was sent or kept is lost.",
  notLoaded:
    "This part of the page did not load: there is no connection, or Hearth has a newer version. Messages you have started writing are kept.",
  reloadPart: "Reload this part",
  reloadPage: "Load the page again",
  copy: "Copy",
  copied: "Copied",
  howToSetUp: "How to set it up",
  notCopied: "The browser did not allow copying. Select the text and copy it by hand.",
  shownOnce: "You will not see this again. Copy it now, and keep it secret.",
  cancel: "Cancel",
  typedIsLost: "What you typed here would be lost.",
  discardTyped: "Discard it",
  goOnTyping: "Keep typing",
  typeName: (name: string) => `Type “${name}” to go on`,
  typeNameFirst: "Type the name first",
  more: "Show more",
  unread: "unread",
  mentions: (count: number) => (count === 1 ? "1 mention" : `${numberOf(count)} mentions`),
  people: (count: number) => (count === 1 ? "1 person" : `${numberOf(count)} people`),
  colours: {
    rust: "Rust",
    ochre: "Ochre",
    moss: "Moss",
    verdigris: "Verdigris",
    blue: "Blue",
    violet: "Violet",
    rose: "Rose",
    grey: "Grey",
  },
  /** Completes the server's clause, as in "name: must not be empty", to a sentence. */
  ofField: (said: string) => (/^(must|may|is|has) /.test(said) ? `This ${said}.` : said),
  ownColour: "Another colour",
};
