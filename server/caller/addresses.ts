// Host names and ports of http URLs: which hosts are this machine, and how a host and its port are written as one.

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

/** The URL at which this machine reaches its own server, also when that listens on every interface. */
export function urlFromHere(host: string, port: number): string {
  return urlAt(host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port);
}

/** The listening URL as a browser can open it: a wildcard address becomes localhost. */
export function openableUrl(listeningUrl: string): string {
  const { hostname, port } = new URL(listeningUrl);
  return isWildcard(hostname) ? new URL(`http://localhost:${port}`).origin : listeningUrl;
}
