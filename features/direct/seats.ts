// Seats: who is in which conversation, for features that keep something for a person about one.
import { question } from "../../server/house/question.ts";

export { selectSeats } from "./store.ts";

/** Asks that what is stored for a person about a conversation is forgotten: they are not in it any more. */
export const seatLost = question<[userId: string, channelId: string], void>("direct.seatLost");

/** Asks that a conversation counts as read for a person who takes it off their list. */
export const conversationHidden = question<[userId: string, channelId: string], void>(
  "direct.conversationHidden",
);
