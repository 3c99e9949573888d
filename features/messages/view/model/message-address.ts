// The message in the page's address, updated with each link that is followed.
import { useEffect, useState } from "react";

export interface Wanted {
  id: string;
}

/** A new object for each navigation, even to the same message. */
export function useMessageAddress(): Wanted | undefined {
  const [wanted, setWanted] = useState(wantedNow);
  useEffect(() => {
    const look = () => setWanted(wantedNow());
    // wouter dispatches these events itself when a page changes its address.
    const kinds = ["popstate", "pushState", "replaceState"];
    for (const kind of kinds) addEventListener(kind, look);
    return () => {
      for (const kind of kinds) removeEventListener(kind, look);
    };
  }, []);
  return wanted;
}

function wantedNow(): Wanted | undefined {
  const [, id] =
    /^\/(?:servers\/[^/]+\/channels|direct)\/[^/]+\/messages\/([^/]+)$/.exec(location.pathname) ?? [];
  return id === undefined ? undefined : { id };
}
