// Encrypts a notification for one browser, and signs it for that browser's push service.
import { generateRequestDetails } from "web-push";
import type { House } from "../../server/house/house.ts";
import type { Notice } from "./contract.ts";
import { vapidDetails } from "./keys.ts";
import type { PushRequest } from "./push-request.ts";
import type { SubscriptionsTable } from "./store.ts";

/** How long a push service may keep it for a browser that is offline, in seconds. */
const ttlS = 24 * 3600;

export function encrypted(house: House, to: SubscriptionsTable, notice: Notice): PushRequest {
  const { endpoint, p256dh, auth } = to;
  const details = generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(notice), {
    vapidDetails: vapidDetails(house),
    TTL: "until" in notice ? secondsUntil(notice.until) : ttlS,
    urgency: "high",
    contentEncoding: "aes128gcm",
  });
  return { endpoint: new URL(endpoint), headers: details.headers, body: details.body };
}

function secondsUntil(time: string): number {
  return Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000));
}
