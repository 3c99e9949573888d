// Escape closes the panel that overlays the room, unless something else has handled the key.
import { useEffect } from "react";
import { useFrameWidth } from "../ui/browser/frame-width.ts";
import { isComposing } from "../ui/browser/input-method.ts";
import type { Panel } from "../ui/browser/panel.ts";
import { isEscape } from "../ui/keys/keys.ts";

/** Only where the members overlay the room: beside it they hide nothing, and stay. */
export function useEscape({ isShown, close }: Panel): void {
  const isOver = useFrameWidth() === "middle" && isShown;
  useEffect(() => {
    if (!isOver) return;
    const onKey = (event: KeyboardEvent) => {
      const isElsewhere =
        event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]");
      if (isEscape(event) && !event.defaultPrevented && !isComposing(event) && !isElsewhere) close();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
