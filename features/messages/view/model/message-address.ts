// The message in the page's address, updated with each link that is followed.
import { useEffect, useState } from "react";

export interface Wanted {
  id: string;
}

/** A new object for each navigation, even to the same message; not for what opens or closes over its room. */
export function useMessageAddress(): Wanted | undefined {
  const [wanted, setWanted] = useState(wantedNow);
  useEffect(() => {
    let { pathname, search } = location;
    const look = ({ type }: Event) => {
      const isOver = type === "popstate" || (type === "pushState" && history.state?.over);
      const isAgain = !isOver && location.search === search;
      if (location.pathname !== pathname || isAgain) setWanted(wantedNow());
      ({ pathname, search } = location);
    };
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
