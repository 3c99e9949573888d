// The server that is moved by keys lets the focus go, which it keeps in each new place, once a pointer is used.
import { type RefObject, useEffect } from "react";

/** `carried` is the id of the server; undefined when none is being moved. */
export function useLetGo(carried: RefObject<string | undefined>): void {
  useEffect(() => {
    const letGo = () => {
      carried.current = undefined;
    };
    addEventListener("pointerdown", letGo, true);
    return () => removeEventListener("pointerdown", letGo, true);
  }, [carried]);
}
