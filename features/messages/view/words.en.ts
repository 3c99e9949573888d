// Texts of the room, in English.
import { numberIn } from "../../../web/ui/words/numbers.ts";

const numberOf = numberIn("en");

export const english = {
  messages: "Messages",
  newMessages: "New messages",
  fresh: "New",
  bot: "Bot",
  webhook: "Webhook",
  edited: "edited",
  sending: "Sending",
  sendAgain: "Send again",
  discard: "Discard",
  notSent: "Not sent.",
  rowName: (author: string, time: string) => `${author}, ${time}`,
  begins: (channel: string) => `Here begins #${channel}`,
  beginsLead: "Say the first word.",
  cannotLoad: "These messages did not load",
  cannotLoadLead:
    "The server did not answer. What you had written is kept. Try again, or tell the operator this number.",
  request: (id: string) => `request ${id}`,
  loading: "Messages are loading",
  since: (time: string) => `since ${time}`,
  cannotJump: "It could not be loaded. Try again.",
  messageGone: "That message is not there any more.",
  newSince: (count: number, isMore: boolean, time: string) =>
    `${numberOf(count)}${isMore ? "+" : ""} since ${time}`,
  actions: "Message actions",
  more: "More",
  delete: "Delete",
  cannotReach: "The server cannot be reached.",
  stillSending: "Still sending",
  tooOld: "It was written more than a day ago and may be there already. Look first, then send or discard it.",
  serverFault: "The server has a fault.",
  triedAgain: (wait: string) => `It is tried again in ${wait}.`,
  tooFast: (wait: string) => `You are sending too fast; wait ${wait}.`,
  files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
  originalGone: "The original was deleted",
  replyTo: (author: string, said: string) => `Reply to ${author}: ${said}`,
  blocked: "Blocked person",
  blockedMessages: (count: number) =>
    count === 1 ? "A message of somebody whom you block." : `${count} messages of people whom you block.`,
  show: "Show",
  broken: "This message cannot be shown.",
  showSpoiler: "Show what is hidden",
  opensAnew: "(opens in a new tab)",
  code: (language: string) => (language === "" ? "Code" : `Code: ${language}`),
  plainCode: "text",
  copyCode: "Copy code",
  showLines: (count: number) => `Show all ${count} lines`,
};
