// Voice: tokens and lists for people, webhooks of the media service, and the jobs that keep both consistent.
import { sightChanged } from "../../server/gateway/sight.ts";
import { type Feature, frame, handle, handleAdmitted } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { selectUser, usersById } from "../accounts/access.ts";
import { happening } from "../direct/access.ts";
import { need } from "../servers/access.ts";
import { findRoom, needToEnter, publishingBits } from "./access.ts";
import { wsForm } from "./addresses.ts";
import * as contract from "./contract.ts";
import { inRoom } from "./frames.ts";
import { endSessions, recheckAfter } from "./guard.ts";
import { guesses } from "./guesses.ts";
import { neededMedia, openMedia } from "./media.ts";
import { lookoutOf } from "./putting-out.ts";
import { heldConversations, heldRooms, roomsFor, toState } from "./ready.ts";
import { reconcile, reconcileRoom } from "./reconciling.ts";
import { setDeafened, setMuted } from "./rooms.ts";
import { noteAsking } from "./sessions.ts";
import { selectRoom, voiceMigrations } from "./store.ts";
import { tasks } from "./tasks.ts";
import { webhooksCommand } from "./trial.ts";

export const voice: Feature = {
  name: "voice",
  migrations: voiceMigrations,
  events: [contract.voiceJoined, contract.voiceLeft, contract.voiceMuted, contract.voiceDeafened],
  operations: [
    handle(contract.createVoiceToken, async ({ caller, body, unit }) => {
      const found = await findRoom(unit, caller.userId, body.room_name);
      needToEnter(found, caller);
      neededMedia(unit.house);
      const { livekit } = unit.house.config;
      const person = await selectUser(unit.db, caller.userId);
      if (!livekit || !person) throw new Error("neither the media service nor the caller can have gone");
      const { channel, standing } = found;
      const { userId, sessionId } = caller;
      await noteAsking(unit.house, standing.home, { channelId: channel.id, userId, sessionId });
      const { roomToken } = await import("./grants.ts");
      const token = await roomToken(livekit, channel.id, person, publishingBits(standing));
      return { token, livekit_url: wsForm(livekit.url) };
    }),

    handle(contract.listVoiceParticipants, async ({ caller, params, unit }) => {
      const { channel } = await findRoom(unit, caller.userId, params.roomID);
      const media = neededMedia(unit.house);
      // Until the first webhook, an empty room may be wrong, so the media service is asked, which may be unavailable.
      const isGuess = !media.isHeard && (await selectRoom(unit.db, channel.id)).length === 0;
      if (isGuess)
        await guesses(unit.house).ask(channel.id, media.patienceMs, () =>
          reconcileRoom(unit.house, media, channel.id),
        );
      const rows = await selectRoom(unit.db, channel.id);
      const users = await usersById(
        unit,
        rows.map((row) => row.user_id),
      );
      return rows.map((row) => {
        const { channel_id, ...state } = toState(row);
        return { display_name: users.get(row.user_id)?.display_name ?? "", ...state };
      });
    }),

    handleAdmitted(
      contract.receiveVoiceWebhook,
      async ({ house, headers }) => (await import("./webhook.ts")).readSignature(house, headers),
      async ({ request, unit }, signed) => {
        const { hearWebhook, readWebhook } = await import("./webhook.ts");
        await hearWebhook(unit.house, await readWebhook(unit.house, signed, request.raw));
      },
    ),
  ],
  frames: [
    frame("VOICE_MUTE", contract.muteFrame, (unit, caller, { channel_id, muted }) =>
      inRoom(unit, caller.userId, channel_id, async (write, row, standing) => {
        if (!muted) need(standing, "SPEAK_VOICE");
        await setMuted(write, row, muted);
      }),
    ),
    frame("VOICE_DEAFEN", contract.deafenFrame, (unit, caller, { channel_id, deafened }) =>
      inRoom(unit, caller.userId, channel_id, (write, row) => setDeafened(write, row, deafened)),
    ),
  ],
  answers: [whenAsked(sightChanged, roomsFor), whenAsked(happening, heldConversations)],
  commands: [webhooksCommand],
  checks: [
    {
      about: "voice",
      look: async (config) => (await import("./doctor.ts")).lookAtVoice(config),
      lookCloser: async (config) => (await import("./doctor.ts")).lookCloserAtVoice(config),
    },
  ],
  jobs: [{ name: "reconcile the voice rooms", everyMs: 30_000, run: reconcile }],
  opening: openMedia,
  readyShapes: contract.readyShapes,
  ready: heldRooms,
  committed: { rights: recheckAfter, sessionsEnded: endSessions },
  close(house) {
    tasks(house).close();
    lookoutOf(house).close();
  },
};
