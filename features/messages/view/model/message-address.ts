// The message that the address of the page leads to; each time that somebody follows a link there.
import { useEffect, useState } from "react";

export interface Wanted {
  id: string;
}

/** A new object each time that somebody goes there, also where they have been last. */
export function useMessageAddress(): Wanted | undefined {
  const [wanted, setWanted] = useState(wantedNow);
  useEffect(() => {
    const look = () => setWanted(wantedNow());
    // wouter says so itself of what a page does to its address.
    const kinds = ["popstate", "pushState", "replaceState"];
    for (const kind of kinds) addEventListener(kind, look);
    return () => {
      for (const kind of kinds) removeEventListener(kind, look);
    };
  }, []);
  return wanted;
}

function wantedNow(): Wanted | undefined {
  const [, id] = /^\/servers\/[^/]+\/channels\/[^/]+\/messages\/([^/]+)$/.exec(location.pathname) ?? [];
  return id === undefined ? undefined : { id };
}
