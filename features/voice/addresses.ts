// The two forms of the media service's address.

/** For calls. */
export function httpForm(url: string): string {
  return url.replace(/^ws/, "http");
}

/** For browsers. */
export function wsForm(url: string): string {
  return url.replace(/^http/, "ws");
}
