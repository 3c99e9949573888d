// Webhooks of the media service: authenticated by a signature over the raw body; each event is processed once, old ones
// never.
import { createHash } from "node:crypto";
import { TokenVerifier, TrackSource, WebhookEvent } from "livekit-server-sdk";
import { Refusal } from "../../protocol/errors.ts";
import { id } from "../../protocol/shapes.ts";
import type { Config } from "../../server/config/config.ts";
import { deadline } from "../../server/deadline.ts";
import type { House } from "../../server/house/house.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { findUnstorable } from "../../server/http/body.ts";
import { gathered } from "../../server/whole-body.ts";
import { checkArrival } from "./guard.ts";
import { insertWebhook } from "./heard.ts";
import { mediaOf } from "./media.ts";
import { type Fault, noteBelieved, noteRefused } from "./noticing.ts";
import { type Present, presentOf } from "./present.ts";
import { putOut } from "./putting-out.ts";
import { arrive, leave, setMuted } from "./rooms.ts";
import { selectParticipant, selectRoom } from "./store.ts";

const bodyBytesMax = 64 * 1024;
const oldestMs = 5 * 60_000;
const inTime = deadline(25_000, () => new Refusal("invalid_request", "The body did not arrive in time."));

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Returns the hash of the body stated by the signature. Throws bad_signature (401); the body is not read yet. */
export async function readSignature(house: House, headers: Headers): Promise<string> {
  const { livekit } = house.config;
  const signature = headers.get("authorization");
  // Without a media service there is no key that could sign.
  if (!livekit || !signature) throw badSignature();
  const verifier = new TokenVerifier(livekit.key, livekit.secret);
  const claims = await verifier.verify(signature).catch(() => undefined);
  if (!claims?.sha256) {
    const fault = faultOf(livekit, signature);
    if (fault) await noteRefused(house, fault);
    throw badSignature();
  }
  return claims.sha256;
}

/** Throws bad_signature (401) or too_large (413); for a signed body malformed_json or invalid_request (400). */
export async function readWebhook(house: House, signed: string, request: Request): Promise<WebhookEvent> {
  const body = await inTime(gathered(request, bodyBytesMax, tooLarge));
  // The SDK's own receiver verifies and parses in one call, without telling which of the two failed.
  if (signed !== createHash("sha256").update(body).digest("base64")) {
    await noteRefused(house, changed);
    throw badSignature();
  }
  const event = eventIn(body);
  const age = Math.abs(Date.now() - Number(event.createdAt) * 1000);
  if (age > oldestMs) {
    await noteRefused(house, "it is too old, or the clocks are apart");
    throw badSignature();
  }
  await noteBelieved(house, event.room?.name);
  return event;
}

const changed: Fault = "it is signed with another secret, or was changed on its way";

/** Returns the defect that the operator should look at; undefined if this is no webhook at all. */
function faultOf({ key }: NonNullable<Config["livekit"]>, signature: string): Fault | undefined {
  const claims = claimsIn(signature);
  if (!claims || typeof claims.sha256 !== "string") return undefined;
  if (claims.iss !== key) return "it is signed with another API key";
  const now = Date.now() / 1000;
  if (Number(claims.nbf ?? now) > now || Number(claims.exp ?? now) < now) {
    return "it is too old, or the clocks are apart";
  }
  return changed;
}

/** Returns the claims of a JSON web token, whoever signed it. */
function claimsIn(token: string): Record<string, unknown> | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return typeof claims === "object" && claims !== null ? { ...claims } : undefined;
  } catch {
    return undefined;
  }
}

function eventIn(body: Uint8Array): WebhookEvent {
  let value: Parameters<typeof WebhookEvent.fromJson>[0];
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw new Refusal("malformed_json", "The body of a webhook is JSON.");
  }
  let event: WebhookEvent | undefined;
  try {
    event = WebhookEvent.fromJson(value, { ignoreUnknownFields: true });
  } catch {
    // A body that is not JSON is rejected below, like one without an id.
  }
  if (!event?.id || findUnstorable([event.id, event.participant?.sid]) !== undefined) {
    throw new Refusal(
      "invalid_request",
      "This is no event of the media service: an event is an object with an id.",
    );
  }
  return event;
}

/** Applies an event unless it was applied before. */
export async function hearWebhook(house: House, event: WebhookEvent): Promise<void> {
  const room = id.safeParse(event.room?.name);
  const media = mediaOf(house);
  if (!room.success || !media) return;
  media.isHeard = true;
  const present = event.participant && presentOf(event.participant);
  const isUnwelcome = await house.write(
    async (unit) =>
      (await insertWebhook(unit.db, event.id)) && (await carryOut(unit, room.data, event, present)),
  );
  if (!present) return;
  if (isUnwelcome) putOut(house, { channel_id: room.data, user_id: present.userId, sid: present.sid });
  else if (event.event === "participant_joined") await checkArrival(house, room.data, present.userId);
}

/** Returns whether a person has joined who may not be there. */
async function carryOut(
  unit: UnitOfWork,
  room: string,
  event: WebhookEvent,
  present: Present | undefined,
): Promise<boolean> {
  const kind: string = event.event;
  if (kind === "room_finished") {
    const finished = (Number(event.createdAt) + 1) * 1000;
    for (const { user_id } of await selectRoom(unit.db, room)) {
      await leave(unit, room, user_id, (row) => row.joined_at < finished);
    }
  }
  if (!present) return false;
  if (kind === "participant_joined") return arrive(unit, room, { ...present, isConnected: true });
  if (kind === "participant_left" || kind === "participant_connection_aborted") {
    await leave(unit, room, present.userId, (row) => row.sid === present.sid);
  }
  const isTrack = /^track_(published|unpublished|muted|unmuted)$/.test(kind);
  if (isTrack && event.track?.source === TrackSource.MICROPHONE) {
    const row = await selectParticipant(unit.db, room, present.userId);
    const muted = kind === "track_unpublished" || kind === "track_muted" || event.track.muted;
    if (row?.sid === present.sid) await setMuted(unit, row, muted);
  }
  return false;
}

function tooLarge(): Refusal {
  return new Refusal("too_large", `The body of a webhook may be at most ${bodyBytesMax} bytes.`);
}

function badSignature(): Refusal {
  return new Refusal(
    "bad_signature",
    "This was not signed by the media service, or it is too old. Compare the keys, and the clocks of both.",
  );
}
