// Subscribes this browser to push messages, and ends it. What stands in the way has a name.
import { CallError } from "../../../client/call.ts";
import { registerWorker } from "../../../web/ui/browser/worker.ts";
import { getVapidKey, subscribe, unsubscribe } from "../calls.ts";

export type Obstacle = "unsupported" | "needsHttps" | "needsInstalling" | "denied" | "dismissed" | "failed";

/** What cannot be helped on this page; undefined where the browser can be asked. */
export function obstacleNow(): Obstacle | undefined {
  if (!isSecureContext) return "needsHttps";
  const canPush = "PushManager" in window && "Notification" in window && "serviceWorker" in navigator;
  if (!canPush) return isApple() && !isInstalled() ? "needsInstalling" : "unsupported";
  return Notification.permission === "denied" ? "denied" : undefined;
}

function isApple(): boolean {
  // iPads call themselves Macs, but Macs have no touch screen.
  const isPad = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1;
  return isPad || /iPhone|iPad|iPod/.test(navigator.userAgent);
}

function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}

/** Calls `watcher` when the browser's answer may be another: it was changed in its settings, or the page is back from there. */
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
    // Not every browser tells of it.
    () => {},
  );
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", watcher);
    status?.removeEventListener("change", watcher);
  };
}

/** A browser that cannot say it now is taken for one that is not. */
export async function isSubscribed(): Promise<boolean> {
  if (obstacleNow()) return false;
  const subscription = await subscriptionNow().catch(() => undefined);
  return subscription !== undefined;
}

async function subscriptionNow(): Promise<PushSubscription | undefined> {
  const registration = await registerWorker();
  return (await registration?.pushManager.getSubscription()) ?? undefined;
}

/** Asks the person by way of the browser, so only after a press. Returns what stood in the way. Throws CallError. */
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
  await tell(made);
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
    // With the key of a former server there is one already: that one goes.
    await (await pushManager.getSubscription())?.unsubscribe();
    return pushManager.subscribe(options).catch(() => undefined);
  }
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const [p256dh, auth] = [keys?.p256dh ?? "", keys?.auth ?? ""];
  try {
    await subscribe({ body: { endpoint: endpoint ?? "", p256dh, auth } });
  } catch (error) {
    await subscription.unsubscribe();
    throw CallError.from(error);
  }
}

/** Nothing more comes here, also when the server cannot be told so now. */
export async function unsubscribeHere(): Promise<void> {
  const subscription = await subscriptionNow();
  if (!subscription) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await unsubscribe({ body: { endpoint } });
}
