// Addresses as parts of an http URL: which are this machine's own, and how a host and its port are written as one.

/** Takes the hostname of a URL: IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** Takes the hostname of a URL. */
export function isWildcard(hostname: string): boolean {
  return hostname === "0.0.0.0" || hostname === "[::]";
}

export function urlAt(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Where this machine itself reaches what listens there, also on every interface. */
export function urlFromHere(host: string, port: number): string {
  return urlAt(host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port);
}

/** Every interface is no address that a browser could open: on this machine it is called localhost. */
export function openableUrl(listeningUrl: string): string {
  const { hostname, port } = new URL(listeningUrl);
  return isWildcard(hostname) ? new URL(`http://localhost:${port}`).origin : listeningUrl;
}
