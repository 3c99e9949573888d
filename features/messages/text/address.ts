// Addresses in texts: which ones a link may lead to, and which are a picture.
import { isAnyOf } from "./ahead.ts";
import type { Steps } from "./steps.ts";

/** Longer labels and hosts no name server knows. */
const longestLabel = 63;
const longestHost = 253;
/** UTF-16 codes: dots separate the labels of a host, and a colon its port. */
const [dot, colon, ideographicStop] = [0x2e, 0x3a, 0x3002];
/** Engines find these only once they have translated a host. */
const isInNoHost = isAnyOf(/[ #/<>?@\\^|]/);

/** Returns the address if it is one that a page may open: of the web, or a mailbox. */
export function linkTarget(href: string, steps?: Steps): string | undefined {
  const address = href.trim();
  if (!/^(?:https?:\/\/|mailto:)[^\s]/i.test(address)) return undefined;
  if (!mayTranslate(address, steps)) return undefined;
  return readAddress(address)?.href;
}

const engine: { parse?: (address: string) => URL | null } = URL;

/**
 * An error of `new URL` costs more than reading all the rest, and a text may hold hundreds of bad addresses. Where there
 * is a `URL.parse`, names of hosts are translated once instead of twice.
 */
function readAddress(address: string): URL | null {
  if (engine.parse) return engine.parse(address);
  return URL.canParse(address) ? new URL(address) : null;
}

/**
 * Returns false for an internationalized host name that DNS cannot know: it is too long, say. Its conversion to Punycode
 * takes time quadratic in the length of each label, and NFKC expands one letter to eighteen at most. Throws TooManySteps.
 */
function mayTranslate(address: string, steps?: Steps): boolean {
  const [, authority = ""] = /^https?:[/\\\t]*([^/?#\\]*)/i.exec(address) ?? [];
  if (/^[!-$&-~]*$/.test(authority)) return true;
  const host = withoutEscapes(authority.slice(authority.lastIndexOf("@") + 1));
  if (host.length > 2 * longestHost) return false;
  return isKnowable(host.normalize("NFKC"), steps);
}

/** Whether every label of a host in NFKC is short enough for DNS and free of forbidden signs. Throws TooManySteps. */
function isKnowable(host: string, steps?: Steps): boolean {
  let isName = true;
  let all = 0;
  let letters = 0;
  let isAscii = true;
  for (let at = 0; at <= host.length; at++) {
    const code = at < host.length ? host.charCodeAt(at) : dot;
    if (code === dot || code === colon || code === ideographicStop) {
      if (!isAscii) steps?.translate(letters);
      letters = 0;
      isAscii = true;
      continue;
    }
    if (code <= 0x20 || code >= 0x7f) isAscii = false;
    if (isInNoHost(host, at)) isName = false;
    // A letter beyond the first 65,536 is two UTF-16 code units.
    if ((code & 0xfc00) === 0xdc00) continue;
    if (++letters > longestLabel || ++all > longestHost) return false;
  }
  return isName;
}

/** Puts one letter for each one that is written as the bytes of its UTF-8. */
function withoutEscapes(host: string): string {
  if (!host.includes("%")) return host;
  return host.replace(/%[89ab][0-9a-f]/gi, "").replace(/%[c-f][0-9a-f]/gi, "\ufffd");
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
