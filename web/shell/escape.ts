// Escape closes what lies over the room, when nothing nearer had a use for it.
import { useEffect } from "react";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import type { Panel } from "../ui/browser/panel.ts";
import { isEscape } from "../ui/keys/keys.ts";

/** Where the members stand beside the room, they stay: nothing is hidden by them. */
export function useEscape({ isShown, close }: Panel): void {
  const isOver = useFrameWidth() === "middle" && isShown;
  useEffect(() => {
    if (!isOver) return;
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]");
      if (isEscape(event) && !event.defaultPrevented && !isElsewhere) close();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
