// Signing in and out in this browser: redirects to the requested address, and notifications to other tabs.
import { keep, kept } from "../browser/kept.ts";
import { dropFromTab, keepInTab, keptInTab } from "../browser/tab-store.ts";
import { type SignedIn, signedIn, signedOut } from "./belongings.ts";

const wantedKey = "hearth.wanted";

/** The broadcast channel for both notifications, used when the browser refuses storage. */
const channelName = "hearth-tabs";

/** Tells this browser's other tabs who is signed in from now on. */
export function noteSignedIn(userId: string): void {
  tell(signedIn, { userId, at: Date.now() } satisfies SignedIn);
}

/** Opens the house after signing in. Reloads the page, so that nothing of another account stays. */
export function enter(userId: string): void {
  noteSignedIn(userId);
  comeIn();
}

/** Loads the address that was requested before signing in. */
export function comeIn(): void {
  const to = wanted() ?? "/";
  dropFromTab(wantedKey);
  // The origin is prepended because two slashes at the beginning of an address would name another host.
  location.assign(location.origin + to);
}

/** Returns the address that was requested before signing in. */
export function wanted(): string | undefined {
  return keptInTab(wantedKey);
}

export function remember(wish: string): void {
  keepInTab(wantedKey, wish);
}

/** Goes to the login page, and remembers the requested address. */
export function askToSignIn(navigate: (to: string) => void): void {
  const { pathname, search } = location;
  if (pathname !== "/") remember(pathname + search);
  navigate("/login");
}

/** Tells this browser's other tabs that somebody signed out on purpose. */
export function noteSignedOut(): void {
  tell(signedOut, Date.now());
}

/** Notifies other tabs by a storage event, or by the broadcast channel when storage is refused. */
function tell(key: string, value: unknown): void {
  if (keep(key, value)) return;
  const tabs = new BroadcastChannel(channelName);
  tabs.postMessage({ key, value });
  tabs.close();
}

/** Calls back when somebody signs in or out in another tab. Returns the function that unsubscribes. */
export function onOtherTab(heard: { signedIn(userId: string): void; signedOut(): void }): () => void {
  const hear = (key: string | undefined, who: SignedIn | undefined) => {
    if (key === signedOut) heard.signedOut();
    if (key === signedIn && who) heard.signedIn(who.userId);
  };
  const listen = ({ key }: StorageEvent) => hear(key?.replace("hearth.", ""), kept(signedIn));
  const tabs = new BroadcastChannel(channelName);
  tabs.onmessage = ({ data: { key, value } }) => hear(key, value);
  addEventListener("storage", listen);
  return () => {
    tabs.close();
    removeEventListener("storage", listen);
  };
}
