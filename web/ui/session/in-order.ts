// Acts of one view that are carried out one after the other, in the order in which they were asked for.
import { useCallback, useRef } from "react";

/** Returns a function that runs work, which must not reject, after all work before. */
export function useInOrder(): (work: () => Promise<void>) => void {
  const last = useRef(Promise.resolve());
  return useCallback((work) => {
    last.current = last.current.then(work);
  }, []);
}
