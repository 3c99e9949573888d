// The two forms of the media service's address.

/** The address for calls. */
export function httpForm(url: string): string {
  return url.replace(/^ws/, "http");
}

/** The address for browsers. */
export function wsForm(url: string): string {
  return url.replace(/^http/, "ws");
}
