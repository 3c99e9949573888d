// The height of a field that is as high as its text.
import { useLayoutEffect } from "react";

/** For browsers that cannot size a text field by its content. */
export function useHeight(area: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height follows from its text.
  useLayoutEffect(() => {
    const { current: box } = area;
    if (!box || CSS.supports("field-sizing", "content")) return;
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + box.offsetHeight - box.clientHeight}px`;
  }, [area, text]);
}
