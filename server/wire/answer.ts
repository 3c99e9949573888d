// The answer to an outgoing HTTP request, and the error for an invalid one.

export interface Head {
  status: number;
  /** By name in lower case; the first of several with the same name. */
  headers: ReadonlyMap<string, string>;
}

export interface Answer extends Head {
  body: Uint8Array<ArrayBuffer>;
}

/** True if the status reports success (2xx). */
export function isOk({ status }: Head): boolean {
  return status >= 200 && status < 300;
}

/** The host violates HTTP, or exceeds the bounds. */
export class BadAnswer extends Error {
  override name = "BadAnswer";
}
