// Push: the subscriptions of a person's browsers, and the notifications sent to them.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { ownServer } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

/** A key of a Push API subscription, in base64url or base64. */
const key = z
  .string()
  .max(256)
  .regex(/^[A-Za-z0-9+/_-]+={0,2}$/, "must be base64url");
// The keys are validated where they are read; these schemas describe every accepted key.
const publicKey = key.meta({
  minLength: 87,
  maxLength: 89,
  pattern: "^B[A-Za-z0-9+/_-]{86}={0,2}$",
  description: "base64url of an uncompressed point on P-256: 65 bytes",
});
const authSecret = key.meta({
  minLength: 22,
  maxLength: 24,
  pattern: "^[A-Za-z0-9+/_-]{22}={0,2}$",
  description: "base64url of 16 bytes",
});
const anyEndpoint = z.string().max(limits.url_max);
const endpoint = anyEndpoint.meta({
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]://",
  description: "An https address on port 443 of the public internet, without a name or a password in it",
});

export const getVapidKey = operation({
  name: "getVapidKey",
  method: "GET",
  path: "/push/vapid-public-key",
  summary: "The key that a browser needs to subscribe: base64url, uncompressed P-256 point",
  caller: "person",
  lane: "read",
  answers: { 200: { description: "The key", body: z.object({ public_key: z.string() }) } },
});

export const subscribe = operation({
  name: "subscribeToPush",
  method: "POST",
  path: "/push/subscribe",
  summary: "Push what the caller wants to be told to this endpoint; it belongs to whoever subscribed it last",
  caller: "person",
  lane: "own",
  body: z.object({ endpoint, p256dh: publicKey, auth: authSecret }),
  answers: { 204: { description: "It is subscribed" } },
});

export const unsubscribe = operation({
  name: "unsubscribeFromPush",
  method: "POST",
  path: "/push/unsubscribe",
  summary: "Push nothing more to this endpoint of the caller; one that is not theirs stays as it is",
  caller: "person",
  lane: "write",
  body: z.object({ endpoint: anyEndpoint.meta({ description: "As it was subscribed; any text is taken" }) }),
  answers: { 204: { description: "It is not subscribed for the caller" } },
});

/** The decrypted payload of a push, as a service worker receives it. */
const pushed = z.object({
  type: z.enum(["mention", "message", "direct"]),
  server_id: ownServer,
  channel_id: z.string(),
  message_id: z.string(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
});

export type Pushed = z.infer<typeof pushed>;

export const sendTestPush = operation({
  name: "sendTestPush",
  method: "POST",
  path: "/admin/test-push",
  summary: "Push a notification to the caller's own browsers (admins of the instance)",
  caller: "person",
  lane: "own",
  answers: { 204: { description: "A push service has taken it" } },
  errors: ["forbidden", "conflict", "unavailable", "rate_limited"],
});

/** The decrypted payload of a test push, as a service worker receives it. */
const testPushed = z.object({
  type: z.literal("test"),
  title: z.string(),
  body: z.string(),
  url: z.string(),
});

/** The decrypted payload of a push about a call that rings, as a service worker receives it. */
const callPushed = z.object({
  type: z.literal("call"),
  server_id: z.null(),
  channel_id: z.string(),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  /** Afterwards it does not ring any more. */
  until: z.string(),
});

/** The payload of any notification. */
export type Notice = Pushed | z.infer<typeof callPushed> | z.infer<typeof testPushed>;

/** Sent to the person alone when a browser is subscribed or unsubscribed. */
export const pushSubscriptionsUpdated = event(kinds.pushSubscriptionsUpdated, {
  summary: "A browser of the person was subscribed to push messages, or is not any more",
  data: z.strictObject({}),
  happensIn: "person",
  replaces: () => "",
});
