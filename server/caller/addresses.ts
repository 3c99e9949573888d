// Host names and ports of http URLs: which hosts are this machine, which belong to a home network, and how host and
// port are written together.
import { isIP } from "node:net";

/** Takes the hostname of a URL: IPv6 in brackets. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/** True if a server that listens on this address (HOST) can be reached from this machine only. */
export function listensHereOnly(host: string): boolean {
  const name = host.toLowerCase();
  return isLoopback(name.includes(":") ? `[${name}]` : name);
}

/** Takes the hostname of a URL. */
export function isWildcard(hostname: string): boolean {
  return hostname === "0.0.0.0" || hostname === "[::]";
}

const label = /^[a-z\d_]([a-z\d_-]*[a-z\d_])?$/;
const homeNames = [".local", ".lan", ".internal", ".home.arpa"];

/**
 * True if nobody outside can own the host: an IP address, a name without a dot, or a name of a home network. Takes the
 * hostname of a URL.
 */
export function isOfHome(hostname: string): boolean {
  if (hostname.startsWith("[")) return isIP(hostname.slice(1, -1)) === 6;
  if (isIP(hostname) === 4) return true;
  const labels = hostname.split(".");
  if (!labels.every((each) => label.test(each))) return false;
  return labels.length === 1 || homeNames.some((each) => hostname.endsWith(each));
}

export function urlAt(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The URL at which this machine reaches its own server, also when the server listens on every interface. */
export function urlFromHere(host: string, port: number): string {
  return urlAt(host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port);
}

/** The listening URL as a browser can open it: a wildcard address becomes localhost. */
export function openableUrl(listeningUrl: string): string {
  const { hostname, port } = new URL(listeningUrl);
  return isWildcard(hostname) ? new URL(`http://localhost:${port}`).origin : listeningUrl;
}
