// E-mail addresses as mail servers deliver to them: a local part in ASCII, and a domain in any script.

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/** An address with an ASCII domain (RFC 5321, without quoted local parts and bracketed domains). */
export const emailPattern = `^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$`;

const regex = new RegExp(emailPattern);
const longest = 254;

export function isEmail(address: string): boolean {
  const known = asciiEmail(address);
  return known.length <= longest && regex.test(known);
}

/**
 * Returns the address with its domain in ASCII, to which mail is sent (`müller.de` is `xn--mller-kva.de`). Returns it
 * unchanged if there is no such domain.
 */
export function asciiEmail(address: string): string {
  const at = address.lastIndexOf("@") + 1;
  const domain = address.slice(at);
  // Characters that end a host in a URL, or are decoded in one, do not occur in a domain.
  if (at === 0 || /^[\0-\x7f]*$/.test(domain) || /[\0-,/:-@[-`{-\x7f]/.test(domain)) return address;
  try {
    return address.slice(0, at) + new URL(`http://${domain}`).hostname;
  } catch {
    return address;
  }
}
