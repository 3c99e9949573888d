// What a page has while somebody is signed in, for every view: the copy that events keep true, and what is on its way.
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import { calls } from "../../client/call.ts";
import { Chat, type ChatState } from "../../client/chat.ts";
import type { Copy } from "../../client/copy.ts";
import { History } from "../../client/history.ts";
import { Members } from "../../client/members.ts";
import { Outbox, type Unsent } from "../../client/outbox.ts";
import type { ServerEntry } from "../../client/ready.ts";
import type { Channel } from "../../features/channels/contract.ts";
import { takeOver } from "./belongings.ts";
import { onOtherTab } from "./entering.ts";
import { unsentStore } from "./unsent-store.ts";

export interface House {
  chat: Chat;
  history: History;
  outbox: Outbox;
  members: Members;
}

const Context = createContext<House | undefined>(undefined);

/** Connects, and shows its children all the while; what they need of READY they wait for. */
export function HouseProvider({ children }: { children: ReactNode }) {
  const [house] = useState(openHouse);
  useEffect(() => {
    const { chat } = house;
    const tryNow = () => {
      if (document.visibilityState === "visible") chat.connection.tryNow();
    };
    const stopLookingAfter = lookAfterBelongings(house);
    const stopHearing = onOtherTab({
      signedIn(userId) {
        if (chat.state.copy && chat.state.copy.user.id !== userId) location.assign("/");
        else signInAgain(house);
      },
      signedOut: () => location.assign("/login"),
    });
    calls.onSignedOut = () => chat.connection.tryNow();
    addEventListener("online", tryNow);
    document.addEventListener("visibilitychange", tryNow);
    chat.connection.start();
    return () => {
      stopLookingAfter();
      stopHearing();
      removeEventListener("online", tryNow);
      document.removeEventListener("visibilitychange", tryNow);
      chat.connection.stop();
    };
  }, [house]);
  return <Context value={house}>{children}</Context>;
}

/** Connects anew, with the session that this browser has now. */
export function signInAgain({ chat, outbox }: House): void {
  outbox.hold();
  chat.connection.stop();
  chat.connection.start();
}

/**
 * Takes up what is kept here for whoever is signed in, and sends what waited, each time the connection is there. When it
 * is another person than before, the page is loaded anew: nothing of the former one stays.
 */
function lookAfterBelongings({ chat, outbox }: House): () => void {
  let owner: string | undefined;
  let wasLive = false;
  outbox.hold();
  async function begin(userId: string) {
    if (owner !== undefined && owner !== userId) {
      location.assign("/");
      return;
    }
    if (owner === undefined) {
      owner = userId;
      await takeOver(userId);
      await outbox.open();
    }
    outbox.release();
  }
  return chat.subscribe(() => {
    const { copy, connection } = chat.state;
    const isLive = connection.is === "live";
    if (isLive && !wasLive && copy) void begin(copy.user.id);
    wasLive = isLive;
  });
}

function openHouse(): House {
  const url = `${location.origin.replace(/^http/, "ws")}/ws`;
  const chat = new Chat({ url, soon });
  const outbox = new Outbox({ chat, store: unsentStore() });
  return { chat, history: new History(chat), outbox, members: new Members(chat) };
}

/** Before the next frame of the screen; a page that is hidden, or was just now, draws none: it looks once a second. */
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

/** A part of the state; drawn again when `select` returns another value than before. */
export function useChat<T>(select: (state: ChatState) => T): T {
  const { chat } = useHouse();
  return useSyncExternalStore(chat.subscribe, () => select(chat.state));
}

/** A part of the copy. Views below the shell are drawn only while there is one. */
export function useCopy<T>(select: (copy: Copy) => T): T {
  return useChat(({ copy }) => {
    if (!copy) throw new Error("there is no copy yet");
    return select(copy);
  });
}

export function useServer(serverId: string): ServerEntry | undefined {
  return useCopy((copy) => copy.servers.find(({ id }) => id === serverId));
}

/** A part of a server. It stays the same with most events, where the whole is another one with each message. */
export function useOfServer<T>(serverId: string, select: (server: ServerEntry) => T): T | undefined {
  return useCopy(({ servers }) => {
    const server = servers.find(({ id }) => id === serverId);
    return server && select(server);
  });
}

export function useChannel(channelId: string): Channel | undefined {
  return useCopy((copy) => channelIn(copy, channelId));
}

export function channelIn(copy: Copy, channelId: string): Channel | undefined {
  for (const { channels } of copy.servers) {
    const channel = channels.find(({ id }) => id === channelId);
    if (channel) return channel;
  }
  return undefined;
}

/** What was written here and is not at the server yet. */
export function useUnsent(): readonly Unsent[] {
  const { outbox } = useHouse();
  return useSyncExternalStore(
    outbox.subscribe,
    useCallback(() => outbox.unsent, [outbox]),
  );
}
