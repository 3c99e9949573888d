// The answer to a request of our own, and the error for one that is none.

export interface Head {
  status: number;
  /** By name in lower case; of several with one name the first. */
  headers: ReadonlyMap<string, string>;
}

export interface Answer extends Head {
  body: Uint8Array<ArrayBuffer>;
}

/** Whether the host says that it did what it was asked. */
export function isOk({ status }: Head): boolean {
  return status >= 200 && status < 300;
}

/** The host does not keep to HTTP, or to the bounds. */
export class BadAnswer extends Error {
  override name = "BadAnswer";
}
