// What the service worker has to say to the page: that a newer one waits, and where a notification leads.
import { useEffect } from "react";
import { useLocation } from "wouter";
import { showToast } from "../../../web/ui/toast.ts";
import { useWords } from "../../../web/ui/words.ts";
import { onUpdate, registerWorker, takeUpdate } from "../../../web/ui/worker.ts";

export function WorkerWatch(): null {
  const { push: words } = useWords();
  const [, navigate] = useLocation();
  useEffect(() => {
    void registerWorker();
    const stop = onUpdate(() =>
      showToast({ text: words.newVersion, forMs: 0, action: { label: words.reload, run: takeUpdate } }),
    );
    return () => void stop();
  }, [words]);
  useEffect(() => {
    const { serviceWorker } = navigator;
    if (!serviceWorker) return;
    const open = ({ data }: MessageEvent) => {
      if (data?.type === "open" && typeof data.path === "string") navigate(data.path);
    };
    serviceWorker.addEventListener("message", open);
    return () => serviceWorker.removeEventListener("message", open);
  }, [navigate]);
  return null;
}
