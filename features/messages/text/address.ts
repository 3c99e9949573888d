// URLs in texts: which ones a link may lead to, and which are a picture.
import { isAnyOf } from "./ahead.ts";
import type { Steps } from "./steps.ts";

/** DNS knows no longer labels and hosts. */
const longestLabel = 63;
const longestHost = 253;
/** UTF-16 codes: dots separate the labels of a host, a colon precedes its port. */
const [dot, colon, ideographicStop] = [0x2e, 0x3a, 0x3002];
/** Characters forbidden in a host, which engines detect only after its conversion to ASCII. */
const isInNoHost = isAnyOf(/[ #/<>?@\\^|]/);

/** Returns the URL if a page may open it: a web address or a mailbox. */
export function linkTarget(href: string, steps?: Steps): string | undefined {
  const address = href.trim();
  if (!/^(?:https?:\/\/|mailto:)[^\s]/i.test(address)) return undefined;
  if (!mayTranslate(address, steps)) return undefined;
  return readUrl(address)?.href;
}

const engine: { parse?: (address: string) => URL | null } = URL;

/**
 * Returns null if the text is no URL. An exception of `new URL` costs more than all the rest of parsing, and a text may
 * hold hundreds of bad URLs: `URL.parse`, which not all browsers have, throws none.
 */
function readUrl(address: string): URL | null {
  if (engine.parse) return engine.parse(address);
  try {
    return new URL(address);
  } catch {
    return null;
  }
}

/**
 * Returns false for an internationalized host name that DNS cannot resolve, for example one that is too long.
 * Conversion to Punycode takes time quadratic in the length of each label, and NFKC expands one letter to eighteen at
 * most. Throws TooManySteps.
 */
function mayTranslate(address: string, steps?: Steps): boolean {
  const [, authority = ""] = /^https?:[/\\\t]*([^/?#\\]*)/i.exec(address) ?? [];
  if (/^[!-$&-~]*$/.test(authority)) return true;
  const host = withoutEscapes(authority.slice(authority.lastIndexOf("@") + 1));
  if (host.length > 2 * longestHost) return false;
  return isKnowable(host.normalize("NFKC"), steps);
}

/** True if every label of an NFKC host is short enough for DNS and has no forbidden letter. Throws TooManySteps. */
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
    // A letter outside the BMP is two UTF-16 code units.
    if ((code & 0xfc00) === 0xdc00) continue;
    if (++letters > longestLabel || ++all > longestHost) return false;
  }
  return isName;
}

/** Replaces each percent-encoded UTF-8 sequence by a single letter. */
function withoutEscapes(host: string): string {
  if (!host.includes("%")) return host;
  return host.replace(/%[89ab][0-9a-f]/gi, "").replace(/%[c-f][0-9a-f]/gi, "\ufffd");
}

/** Returns the path of a URL of this server that leads to a channel or a message. */
export function ownPath(href: string, origin: string): string | undefined {
  const { pathname, origin: its } = new URL(href);
  return its === origin && pathname.startsWith("/servers/") ? pathname : undefined;
}

/** Returns the URL of a picture if the message holds nothing else, which is how GIFs are posted. */
export function pictureIn(content: string): string | undefined {
  const address = content.trim();
  return /^https:\/\/[^\s<>"]+\.(?:gif|webp|png|jpe?g|avif)$/i.test(address)
    ? linkTarget(address)
    : undefined;
}
