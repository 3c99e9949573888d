// Texts of the composer, in English.

const plural = new Intl.PluralRules("en");

const digits = new Intl.NumberFormat("en");

export const english = {
  write: (place: string) => `Message ${place}`,
  attach: "Attach files",
  emoji: "Emoji",
  send: "Send",
  nothingToSend: "There is nothing to send yet",
  tooLong: (over: number) => `Too long by ${digits.format(over)}. Shorten it to send it.`,
  badFiles: (count: number) =>
    plural.select(count) === "one"
      ? "One file was not sent. Remove it to send the rest."
      : `${count} files were not sent. Remove them to send the rest.`,
  waits: (count: number) =>
    plural.select(count) === "one" ? "Sends when the file is there." : `Sends when ${count} files are there.`,
  waitNoLonger: "Do not send yet",
  filesFailed: "A message was not sent: its files did not get through. It waits in its channel.",
  notTaken: "Not sent. What you wrote is still here; try again.",
  replyingTo: "Replying to",
  stopReplying: "Stop replying",
  originalGone: "The original was deleted",
  counted: (length: number, most: number) => `${digits.format(length)} of ${digits.format(most)}`,
  left: (count: number) =>
    count >= 0 ? `${count} characters are left` : `${-count} characters are too many`,
  noRight: (channel: string) => `You can read #${channel} but not write here.`,
  whoGives: (roles: string[]) =>
    roles.length > 0
      ? `${new Intl.ListFormat("en", { type: "disjunction" }).format(roles)} can give you that right.`
      : "The owner of this server can give you that right.",
};
