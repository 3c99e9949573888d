// Into the house and out of it: who is signed in here, what was wanted before one had to sign in, and that other tabs hear.
import { keep, kept } from "../browser/kept.ts";
import { dropFromTab, keepInTab, keptInTab } from "../browser/tab-store.ts";

const wantedKey = "hearth.wanted";
/** Whom this browser was signed in as last, and when: other tabs hear that it changed. */
const signedIn = "signed-in";
/** When somebody signed out on purpose: other tabs leave as well. */
const signedOut = "signed-out";

/** By which tabs hear of both where the browser keeps nothing. */
const channelName = "hearth-tabs";

interface SignedIn {
  userId: string;
  at: number;
}

/** Says to this browser's other tabs who is signed in from now on. */
export function noteSignedIn(userId: string): void {
  tell(signedIn, { userId, at: Date.now() } satisfies SignedIn);
}

/** Opens the house, as somebody who has just signed in. The page is loaded anew: nothing of another account stays. */
export function enter(userId: string): void {
  noteSignedIn(userId);
  comeIn();
}

/** Loads what was wanted, now that somebody is signed in. */
export function comeIn(): void {
  const to = wanted() ?? "/";
  dropFromTab(wantedKey);
  // With the origin: two slashes at the beginning of an address would name another host.
  location.assign(location.origin + to);
}

/** The address that was asked for before one had to sign in. */
export function wanted(): string | undefined {
  return keptInTab(wantedKey);
}

export function remember(wish: string): void {
  keepInTab(wantedKey, wish);
}

/** Goes to the page of signing in, and remembers what was wanted. */
export function askToSignIn(navigate: (to: string) => void): void {
  const { pathname, search } = location;
  if (pathname !== "/") remember(pathname + search);
  navigate("/login");
}

/** Says to this browser's other tabs that somebody signed out on purpose. */
export function noteSignedOut(): void {
  tell(signedOut, Date.now());
}

/** What is kept tells of itself. */
function tell(key: string, value: unknown): void {
  if (keep(key, value)) return;
  const tabs = new BroadcastChannel(channelName);
  tabs.postMessage({ key, value });
  tabs.close();
}

/** Calls back when somebody signs in or out in another tab. Returns the function that ends it. */
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
