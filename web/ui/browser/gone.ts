// A signal for what a view has begun and cannot use any more once it is gone.
import { useEffect, useRef } from "react";

/** Returns the signal that is aborted when the view goes. */
export function useGone(): { readonly current: AbortSignal } {
  const gone = useRef(AbortSignal.abort());
  useEffect(() => {
    const going = new AbortController();
    gone.current = going.signal;
    return () => going.abort();
  }, []);
  return gone;
}
