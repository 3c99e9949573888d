// E-mail addresses as mail servers deliver to them: a name of ASCII, and a domain in any script.

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** An address as the DNS knows it (RFC 5321, without names in quotes and domains in brackets). */
export const emailPattern = `^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$`;

const regex = new RegExp(emailPattern);
const longest = 254;

export function isEmail(address: string): boolean {
  const known = asciiEmail(address);
  return known.length <= longest && regex.test(known);
}

/**
 * The address with its domain as the DNS knows it (`müller.de` is `xn--mller-kva.de`), which is what mail goes to. As it is
 * where there is none.
 */
export function asciiEmail(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  // What ends a host in a URL, or is decoded in one, is in no domain.
  if (at === 0 || /^[\0-\x7f]*$/.test(domain) || /[\0-,/:-@[-`{-\x7f]/.test(domain)) return address;
  const url = `http://${domain}`;
  return URL.canParse(url) ? address.slice(0, at) + new URL(url).hostname : address;
}
