// The wire format of a request: its target, its first bytes, and the most bytes of its answer.

/** The most bytes up to the end of an answer's final head. */
export const mostHead = 64 * 1024;
/** For the TLS handshake, and for TLS records around counted bytes. */
const mostOverhead = 64 * 1024;

/** The most received bytes of an answer with these bounds: framing may be as long as the content. */
export function mostBytesOf(headMax: number, bodyMax: number): number {
  return headMax + 2 * bodyMax + mostOverhead;
}

/** The host, without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** The port in a URL, or the default of its protocol. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** The name that the certificate of the host must have; undefined without TLS. */
export function certifiedOf(url: URL): string | undefined {
  return url.protocol === "https:" ? hostOf(url) : undefined;
}

/** The first bytes of a request, up to its body. */
export function requestHead(
  method: string,
  { host, pathname, search }: URL,
  headers: Readonly<Record<string, string | number>>,
): Buffer {
  const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${pathname}${search} HTTP/1.1`, ...lines];
  if (head.some((line) => /[^\t -~]/.test(line))) throw new Error("a header with control characters");
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
}
