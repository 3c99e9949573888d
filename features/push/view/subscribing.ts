// Subscribes this browser to push messages, and unsubscribes it. Obstacles have names.
import { CallError } from "../../../client/call.ts";
import { registerWorker } from "../../../web/ui/browser/worker.ts";
import { getVapidKey, subscribe, unsubscribe } from "../calls.ts";

export type Obstacle = "unsupported" | "needsHttps" | "needsInstalling" | "denied" | "dismissed" | "failed";

/** Returns an obstacle that this page cannot remove; undefined if the browser can be asked. */
export function obstacleNow(): Obstacle | undefined {
  if (!isSecureContext) return "needsHttps";
  const canPush = "PushManager" in window && "Notification" in window && "serviceWorker" in navigator;
  if (!canPush) return isApple() && !isInstalled() ? "needsInstalling" : "unsupported";
  return Notification.permission === "denied" ? "denied" : undefined;
}

function isApple(): boolean {
  // iPads identify as Macs, but Macs have no touch screen.
  const isPad = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return isPad || /iPhone|iPad|iPod/.test(navigator.userAgent);
}

function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}

/** Calls `watcher` when the permission may have changed: in the browser's settings, or on return from there. */
export function onPermissionChange(watcher: () => void): () => void {
  let status: PermissionStatus | undefined;
  let isOver = false;
  document.addEventListener("visibilitychange", watcher);
  navigator.permissions?.query({ name: "notifications" }).then(
    (found) => {
      if (isOver) return;
      status = found;
      found.addEventListener("change", watcher);
    },
    // Not every browser supports this.
    () => {},
  );
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", watcher);
    status?.removeEventListener("change", watcher);
  };
}

/** A browser that cannot tell counts as not subscribed. */
export async function isSubscribed(): Promise<boolean> {
  if (obstacleNow()) return false;
  const subscription = await subscriptionNow().catch(() => undefined);
  return subscription !== undefined;
}

async function subscriptionNow(): Promise<PushSubscription | undefined> {
  const registration = await registerWorker();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Opens the browser's prompt, so call it only after a press. Returns the obstacle, if any. Throws CallError. */
export async function subscribeHere(): Promise<Obstacle | undefined> {
  const obstacle = obstacleNow();
  if (obstacle) return obstacle;
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? "denied" : "dismissed";
  const registration = await registerWorker();
  if (!registration) return "unsupported";
  const { public_key } = await getVapidKey();
  await navigator.serviceWorker.ready;
  const made = await newSubscription(registration, public_key);
  if (!made) return "failed";
  await tellOrEnd(made);
  return undefined;
}

async function newSubscription(
  { pushManager }: ServiceWorkerRegistration,
  key: string,
): Promise<PushSubscription | undefined> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await pushManager.subscribe(options);
  } catch {
    // A subscription with the key of a former server is in the way, and is removed.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options).catch(() => undefined);
  }
}

/** At the server a subscription ends with the session that made it; the browser's own one stays. */
export async function renewSubscription(): Promise<void> {
  const subscription = obstacleNow() ? undefined : await subscriptionNow();
  if (subscription) await tell(subscription);
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const [p256dh, auth] = [keys?.p256dh ?? "", keys?.auth ?? ""];
  await subscribe({ body: { endpoint: endpoint ?? "", p256dh, auth } });
}

async function tellOrEnd(subscription: PushSubscription): Promise<void> {
  try {
    await tell(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    throw CallError.from(error);
  }
}

/** Unsubscribes this browser, even if the server is unreachable. */
export async function unsubscribeHere(): Promise<void> {
  const subscription = await subscriptionNow();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await unsubscribe({ body: { endpoint } });
}
