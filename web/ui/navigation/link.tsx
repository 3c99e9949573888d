// A link within the page. wouter's own link renders again with every navigation, because it can mark the current page.
import type { ComponentProps } from "react";
import { navigate } from "wouter/use-browser-location";
import { askBeforeLeaving } from "./leaving.ts";

interface Props extends ComponentProps<"a"> {
  href: string;
  /** The state of the history entry. */
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
        // Left to the browser: a new tab, a new window, a download.
        if (ctrlKey || metaKey || altKey || shiftKey || button !== 0) return;
        onClick?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        // A link to the current address replaces its entry, as browsers do.
        const isHere = href === location.pathname + location.search;
        askBeforeLeaving(navigate, href, { state, replace: replace || isHere });
      }}
    />
  );
}
