// Operations on calls that ring, and what ends them.
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { blocksUpdated } from "../blocks/contract.ts";
import { happening } from "../direct/access.ts";
import { seatLost } from "../direct/seats.ts";
import { otherNotices } from "../push/access.ts";
import { roomEntered } from "../voice/access.ts";
import {
  callsFor,
  endForLeaver,
  endMissed,
  endWhenBlocked,
  findConversationToCall,
  hangUp,
  ring,
  settle,
} from "./access.ts";
import * as contract from "./contract.ts";
import { noticesOfCall } from "./notices.ts";
import { ringingMigrations } from "./store.ts";

export const ringing: Feature = {
  name: "ringing",
  migrations: ringingMigrations,
  events: [contract.callRings, contract.callEnded],
  operations: [
    handle(contract.startCall, async ({ caller, params, unit }) => {
      const conversation = await findConversationToCall(unit, caller.userId, params.id);
      await ring(unit, conversation, caller.userId);
    }),

    handle(contract.endCall, async ({ caller, params, unit }) => {
      const { channel } = await findConversationToCall(unit, caller.userId, params.id);
      await hangUp(unit, channel.id, caller.userId);
    }),
  ],
  eventHandlers: [when(blocksUpdated, (unit, { home }) => endWhenBlocked(unit, home))],
  answers: [
    whenAsked(roomEntered, (unit, channelId, userId) => settle(unit, channelId, userId, "answered")),
    whenAsked(seatLost, endForLeaver),
    whenAsked(happening, callsFor),
    whenAsked(otherNotices, noticesOfCall),
  ],
  jobs: [
    {
      name: "end calls that nobody answered",
      everyMs: 1000,
      isFor: ({ config }) => config.livekit !== undefined,
      run: endMissed,
    },
  ],
};
