// Texts of the composer, in English.
import type { Sign } from "./tokens.ts";

const suggestions: Readonly<Record<Sign, string>> = {
  "@": "People",
  "#": "Channels",
  ":": "Emoji",
  "/": "Commands",
};

const plural = new Intl.PluralRules("en");
const digits = new Intl.NumberFormat("en");

export const english = {
  write: (channel: string) => `Message #${channel}`,
  attach: "Attach files",
  emoji: "Emoji",
  send: "Send",
  nothingToSend: "There is nothing to send yet",
  tooLong: (over: number) => `Too long by ${digits.format(over)}. Shorten it to send it.`,
  badFiles: "One file was not sent. Take it out, or try it again.",
  waits: (count: number) =>
    plural.select(count) === "one" ? "Sends when the file is there." : `Sends when ${count} files are there.`,
  waitNoLonger: "Do not send yet",
  notTaken: "Not sent. What you wrote is still here; try again.",
  replyingTo: "Replying to",
  stopReplying: "Stop replying",
  originalGone: "The original was deleted",
  ctrlEnterSends: "Ctrl and Enter send",
  ctrlEnterSendsHint: "Enter alone then breaks the line.",
  suggestions,
  found: (count: number) => (plural.select(count) === "one" ? "1 suggestion" : `${count} suggestions`),
  counted: (length: number, most: number) => `${digits.format(length)} of ${digits.format(most)}`,
  left: (count: number) =>
    count >= 0 ? `${count} characters are left` : `${-count} characters are too many`,
  leftBehind: "What you had written here",
  throwAway: "Throw it away",
  noRight: (channel: string) => `You can read #${channel} but not write here.`,
  whoGives: (roles: string[]) =>
    roles.length > 0
      ? `${new Intl.ListFormat("en", { type: "disjunction" }).format(roles)} can give you that right.`
      : "The owner of this server can give you that right.",
};
