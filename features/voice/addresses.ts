// The http and ws URLs of the media service.

/** The URL for API calls. */
export function httpForm(url: string): string {
  return url.replace(/^ws/, "http");
}

/** The URL for browsers. */
export function wsForm(url: string): string {
  return url.replace(/^http/, "ws");
}
