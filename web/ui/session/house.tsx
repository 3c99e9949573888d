// The context of all views while somebody is signed in: the copy that events keep up to date, and the outbox.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { calls } from "../../../client/call.ts";
import { Chat, type ChatState, isSignedOut } from "../../../client/chat.ts";
import type { Copy } from "../../../client/copy.ts";
import { History } from "../../../client/history.ts";
import { Members } from "../../../client/members.ts";
import { Outbox } from "../../../client/outbox.ts";
import { asSeenBy, channelIn, type OwnServer } from "../../../client/servers.ts";
import { Snapshot } from "../../../client/snapshot.ts";
import type { Unsent } from "../../../client/unsent.ts";
import type { OwnChannel } from "../../../features/channels/state.ts";
import { holds } from "../../../protocol/permissions.ts";
import { forgetFailedPictures } from "../browser/failed-pictures.ts";
import { inTime } from "../browser/in-time.ts";
import { persistently } from "../browser/lazily.ts";
import { whenShown } from "../browser/quiet.ts";
import { lastOwner, onDrop, stopWriting, takeOver } from "./belongings.ts";
import { onOtherTab } from "./entering.ts";
import { snapshotStore } from "./snapshot-store.ts";
import { unsentStore } from "./unsent-store.ts";
import { useViewedAs } from "./viewed.ts";

export interface House {
  chat: Chat;
  history: History;
  outbox: Outbox;
  members: Members;
  snapshot: Snapshot;
}

const Context = createContext<House | undefined>(undefined);

/** Connects, and renders its children meanwhile; children that need READY wait for it themselves. */
export function HouseProvider({ children }: { children: ReactNode }) {
  const [house] = useState(openHouse);
  useEffect(() => {
    const { chat } = house;
    const tryNow = () => {
      if (document.visibilityState === "visible") chat.connection.tryNow();
    };
    const stopLookingAfter = [lookAfterBelongings(house), lookAfterSnapshot(house)];
    const goTo = (path: string) => {
      stopWriting();
      location.assign(path);
    };
    const stopHearing = onOtherTab({
      signedIn(userId) {
        if (chat.state.copy && chat.state.copy.user.id !== userId) goTo("/");
        else signInAgain(house);
      },
      signedOut: () => goTo("/login"),
    });
    // The socket may still be open for a session whose cookie is gone: a new one finds out if somebody is signed in.
    calls.onSignedOut = () => {
      if (chat.connection.state.is === "live") signInAgain(house);
      else chat.connection.tryNow();
    };
    const ask = (event: BeforeUnloadEvent) => {
      if (house.outbox.isAtRisk) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    addEventListener("online", tryNow);
    document.addEventListener("visibilitychange", tryNow);
    chat.connection.start();
    return () => {
      for (const stop of stopLookingAfter) stop();
      stopHearing();
      removeEventListener("beforeunload", ask);
      removeEventListener("online", tryNow);
      document.removeEventListener("visibilitychange", tryNow);
      chat.connection.stop();
    };
  }, [house]);
  return <Context value={house}>{children}</Context>;
}

/** Reconnects with the session that this browser has now. */
export function signInAgain({ chat, outbox }: House): void {
  outbox.hold();
  chat.connection.stop();
  chat.connection.start();
}

/**
 * Shows the last person's snapshot from an earlier page until the connection says who is signed in. On each
 * connection, opens their stored data and sends unsent messages. If it is another person, reloads the page, so that
 * nothing of the former one stays.
 */
function lookAfterBelongings({ chat, outbox, snapshot }: House): () => void {
  let owner: string | undefined;
  let wasLive = false;
  let wasOut = false;
  let wasAway = false;
  outbox.hold();
  /** Waits for the outbox only for the timeout of `inTime`: a slow database is read later. */
  const openOutbox = () => inTime(outbox.open()).catch(() => {});
  async function show(userId: string) {
    if (!(await snapshot.show(userId)) || owner !== undefined) return;
    owner = userId;
    await openOutbox();
  }
  async function begin(userId: string) {
    if (owner !== userId) {
      const isOther = owner !== undefined;
      owner = userId;
      snapshot.end();
      await takeOver(userId);
      if (isOther) {
        location.assign("/");
        return;
      }
      await openOutbox();
    }
    snapshot.begin();
    outbox.release();
  }
  const last = lastOwner();
  if (last !== undefined) void show(last).catch(() => {});
  return chat.subscribe(() => {
    const { copy, connection } = chat.state;
    const isLive = connection.is === "live";
    const isOut = isSignedOut(connection);
    if (isLive && !wasLive && copy) void begin(copy.user.id);
    if (isOut && !wasOut) void snapshot.forget();
    if (isLive && wasAway) forgetFailedPictures();
    wasAway = !isLive && (wasAway || connection.is === "waiting");
    [wasLive, wasOut] = [isLive, isOut];
  });
}

/** Writes the snapshot when the page is hidden or left, but not after the data was dropped. */
function lookAfterSnapshot({ snapshot }: House): () => void {
  const write = () => snapshot.write();
  const stopDropping = onDrop(() => snapshot.end());
  addEventListener("pagehide", write);
  document.addEventListener("visibilitychange", write);
  return () => {
    stopDropping();
    removeEventListener("pagehide", write);
    document.removeEventListener("visibilitychange", write);
  };
}

function openHouse(): House {
  const url = `${location.origin.replace(/^http/, "ws")}/ws`;
  const chat = new Chat({ url, soon });
  const store = unsentStore();
  const outbox = new Outbox({ chat, store });
  store.onLeft(() => void outbox.open());
  const snapshot = new Snapshot({ chat, store: snapshotStore(), version: import.meta.url });
  whenShown(() => void watchSense(chat).catch(() => {}));
  return { chat, history: new History(chat), outbox, members: new Members(chat), snapshot };
}

/** Loads the check that rejects invalid frames, after the first message, because few servers send any. */
async function watchSense(chat: Chat): Promise<void> {
  const { makesSense } = await persistently(() => import("../../../client/sense.ts"));
  chat.makesSense = makesSense;
}

/** Runs before the next frame, or after a second: a page that is or was just hidden draws no frames. */
function soon(run: () => void): void {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 1000);
}

export function useHouse(): House {
  const house = useContext(Context);
  if (!house) throw new Error("nobody is signed in here");
  return house;
}

/** Returns a part of the state; renders again when `select` returns another value than before. */
export function useChat<T>(select: (state: ChatState) => T): T {
  const { chat } = useHouse();
  return useSyncExternalStore(chat.subscribe, () => select(chat.state));
}

/** Returns a part of the copy. Views below the shell are rendered only while there is one. */
export function useCopy<T>(select: (copy: Copy) => T): T {
  return useChat(({ copy }) => {
    if (!copy) throw new Error("there is no copy yet");
    return select(copy);
  });
}

/** `serverId`: null outside of servers. */
export function useServer(serverId: string | null): OwnServer | undefined {
  return useCopy((copy) => copy.servers.find(({ id }) => id === serverId));
}

/** Returns a part of a server. Most events do not change it, whereas the server object changes with each message. */
export function useOfServer<T>(serverId: string | null, select: (server: OwnServer) => T): T | undefined {
  return useCopy(({ servers }) => {
    const server = servers.find(({ id }) => id === serverId);
    return server && select(server);
  });
}

export function useChannel(channelId: string): OwnChannel | undefined {
  return useCopy((copy) => channelIn(copy, channelId));
}

/** True if the reader has this permission in a channel. */
export function useMayIn(channelId: string, bit: number): boolean {
  const roleId = useViewedAs(channelId);
  return useCopy((copy) => {
    const channel = channelIn(copy, channelId);
    const server = copy.servers.find(({ id }) => id === channel?.server_id);
    if (!channel) return false;
    const { permissions: bits } = roleId && server ? asSeenBy(roleId, server, channel) : channel;
    return holds({ bits }, bit);
  });
}

/** Returns the messages that were written here and have not reached the server yet. */
export function useUnsent(): readonly Unsent[] {
  const { outbox } = useHouse();
  return useSyncExternalStore(
    outbox.subscribe,
    useCallback(() => outbox.unsent, [outbox]),
  );
}
