// A link to another address of the page. wouter's own is drawn again with every step that is gone: it could say where one is.
import type { ComponentProps } from "react";
import { navigate } from "wouter/use-browser-location";
import { askBeforeLeaving } from "./leaving.ts";

interface Props extends ComponentProps<"a"> {
  href: string;
  /** Of the entry in the history. */
  state?: unknown;
  replace?: boolean;
}

export function Link({ href, state = null, replace = false, onClick, ...link }: Props) {
  return (
    <a
      {...link}
      href={href}
      onClick={(event) => {
        const { ctrlKey, metaKey, altKey, shiftKey, button } = event;
        // The browser's own: another tab, another window, a download.
        if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
        onClick?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        // Where one is already, one is once: like the browser's own links.
        const isHere = href === location.pathname + location.search;
        askBeforeLeaving(navigate, href, { state, replace: replace || isHere });
      }}
    />
  );
}
