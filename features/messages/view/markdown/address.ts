// Addresses in texts: which ones a link may lead to, and which are a picture.

/** Returns the address if it is one that a page may open: of the web, or a mailbox. */
export function linkTarget(href: string): string | undefined {
  const address = href.trim();
  if (!/^(?:https?:\/\/|mailto:)[^\s]/i.test(address)) return undefined;
  try {
    return new URL(address).href;
  } catch {
    return undefined;
  }
}

/** Returns the path within this page that an address leads to, where it is one of a channel or a message of ours. */
export function ownPath(href: string, origin: string): string | undefined {
  const { pathname, origin: its } = new URL(href);
  return its === origin && pathname.startsWith("/servers/") ? pathname : undefined;
}

/** Returns the address of a picture, where a message is nothing but that: so GIFs are posted. */
export function pictureIn(content: string): string | undefined {
  const address = content.trim();
  return /^https:\/\/[^\s<>"]+\.(?:gif|webp|png|jpe?g|avif)$/i.test(address)
    ? linkTarget(address)
    : undefined;
}
