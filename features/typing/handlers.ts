// Signals that a person is typing to everybody who can see the channel, except that person.
import { type Feature, frame, handle } from "../../server/house/feature.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { personStream } from "../../server/place.ts";
import { findChannel } from "../channels/access.ts";
import { need } from "../servers/access.ts";
import * as contract from "./contract.ts";

export const typing: Feature = {
  name: "typing",
  events: [contract.typingStarted],
  operations: [
    handle(contract.startTyping, ({ caller, params, unit }) => tellTyping(unit, caller.userId, params.id)),
  ],
  frames: [
    frame("TYPING_START", contract.typingFrame, (unit, caller, data) =>
      tellTyping(unit, caller.userId, data.channel_id),
    ),
  ],
};

async function tellTyping(unit: UnitOfWork, userId: string, channelId: string): Promise<void> {
  const { place, standing, conversation } = await findChannel(unit, userId, channelId);
  need(standing, "SEND_MESSAGES");
  // Before its first message, the other one of two does not know that there is a conversation.
  const hidden = new Set(conversation?.hiddenFrom.map(personStream));
  const streams = place.streams.filter((stream) => !hidden.has(stream));
  unit.tell(
    contract.typingStarted,
    { ...place, streams },
    { channel_id: channelId, user_id: userId },
    userId,
  );
}
