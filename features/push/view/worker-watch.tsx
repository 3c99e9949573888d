// Messages of the service worker to the page: a newer version is waiting, or a notification was clicked.
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { Chat } from "../../../client/chat.ts";
import { lookForUpdate, onUpdate, registerWorker, takeUpdate } from "../../../web/ui/browser/worker.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { lastOwner } from "../../../web/ui/session/belongings.ts";
import { useChat, useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { isUnderWay, uploadsOf } from "../../files/view/uploads.ts";
import { useReadNotices } from "./read-notices.ts";
import { renewSubscription } from "./subscribing.ts";

export function WorkerWatch(): null {
  useUpdates();
  useSubscription();
  useWays();
  useReadNotices();
  return null;
}

function useUpdates(): void {
  const { push: words } = useWords();
  const { chat } = useHouse();
  const isLive = useChat(({ connection }) => connection.is === "live");
  useEffect(() => {
    void registerWorker();
    let takeAway = () => {};
    const stop = onUpdate(() => {
      takeAway();
      takeAway = showToast({
        text: words.newVersion,
        forMs: 0,
        action: { label: words.reload, run: () => afterUploads(chat, takeUpdate) },
        dismissLabel: words.notNow,
      });
    });
    return () => {
      stop();
      takeAway();
    };
  }, [words, chat]);
  // A server that was down may have been upgraded meanwhile.
  useEffect(() => {
    if (isLive) void lookForUpdate();
  }, [isLive]);
  useEffect(() => {
    const look = () => void (document.visibilityState === "visible" && lookForUpdate());
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
}

/**
 * Renews the push subscription at each start and after each login, which mounts this anew. That of a former person is
 * not renewed: it ends with their other belongings.
 */
function useSubscription(): void {
  const { chat } = useHouse();
  const isLive = useChat(({ connection }) => connection.is === "live");
  const isRenewed = useRef(false);
  useEffect(() => {
    if (!isLive || isRenewed.current || lastOwner() !== chat.state.copy?.user.id) return;
    isRenewed.current = true;
    // Tried again with the next connection.
    renewSubscription().catch(() => {
      isRenewed.current = false;
    });
  }, [isLive, chat]);
}

/** A file that is on its way would be lost with the page. */
function afterUploads(chat: Chat, run: () => void): void {
  const uploads = uploadsOf(chat);
  const look = () => {
    if (uploads.all.some(isUnderWay)) return;
    stop();
    run();
  };
  const stop = uploads.subscribe(look);
  look();
}

/** A clicked notification opens its message; the worker is told that a page handles it. */
function useWays(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    const open = ({ data, ports }: MessageEvent) => {
      if (data?.type !== "open" || typeof data.path !== "string") return;
      ports[0]?.postMessage(true);
      navigate(data.path, { state: { isFromHere: true } });
    };
    serviceWorker.addEventListener("message", open);
    return () => serviceWorker.removeEventListener("message", open);
  }, [navigate]);
}
