// Operations on calls that ring, and what ends them.
import { type Feature, handle, when } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { idOf, isOfPerson } from "../../server/place.ts";
import { blocksUpdated } from "../blocks/contract.ts";
import { channelDeleted } from "../channels/contract.ts";
import { happening } from "../direct/access.ts";
import { conversationGone } from "../direct/contract.ts";
import { roomEntered } from "../voice/access.ts";
import { callsFor, endMissed, findConversationToCall, hangUp, recheck, ring, settle } from "./access.ts";
import * as contract from "./contract.ts";
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
  eventHandlers: [
    when(conversationGone, (unit, _place, { id }) => recheck(unit, id)),
    when(channelDeleted, (unit, _place, { id }) => recheck(unit, id)),
    when(blocksUpdated, (unit, { home }) => (isOfPerson(home) ? undefined : recheck(unit, idOf(home)))),
  ],
  answers: [
    whenAsked(roomEntered, (unit, channelId, userId) => settle(unit, channelId, userId, "answered")),
    whenAsked(happening, callsFor),
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
