// What a page is: an address outside of the operations, such as health, the description, or a file for browsers.
import type { Data } from "../blobs/blobs.ts";

/** What a page is asked: which of its paths, and by headers what the caller takes and what it keeps already. */
export interface PageRequest {
  path: string;
  headers: Headers;
}

/** Text, or bytes as a blob, of which all who read them slowly share one; null with a status that has no body. */
export interface PageAnswer {
  status: number;
  /** The media type. */
  type: string;
  body: Data | null;
  /** In place of what every answer says: a policy of its own, how long it is kept; and others, an encoding for example. */
  headers?: Readonly<Record<string, string>>;
}

export interface Page {
  name: string;
  /** `/assets/*` is that and whatever lies below. */
  paths: readonly string[];
  /** Browsers that look for a page, at a path that is nobody's outside of the interface, get this one. */
  isElsewhere?: boolean;
  /** Whether this caller may see the page; others get a 404. Without it anybody may. */
  isOpenTo?(headers: Headers, clientIp: () => string): boolean;
  answer(asked: PageRequest): Promise<PageAnswer>;
}
