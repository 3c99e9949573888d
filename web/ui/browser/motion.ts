// Whether motion is reduced, by the system's setting or by the reader's choice.
import { useSyncExternalStore } from "react";

const asked = matchMedia("(prefers-reduced-motion: reduce)");

export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, isReduced);
}

export function isReduced(): boolean {
  return asked.matches || document.documentElement.dataset.motion === "reduced";
}

function subscribe(watcher: () => void): () => void {
  const observer = new MutationObserver(watcher);
  observer.observe(document.documentElement, { attributeFilter: ["data-motion"] });
  asked.addEventListener("change", watcher);
  return () => {
    observer.disconnect();
    asked.removeEventListener("change", watcher);
  };
}
