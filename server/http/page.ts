// A page: a URL outside of the operations, such as health, the API documentation, or a file for browsers.
import type { Data } from "../blobs/blobs.ts";

/** The request of a page: one of its paths, and headers with the caller's encodings and cached versions. */
export interface PageRequest {
  path: string;
  headers: Headers;
}

/** Text, or bytes as a blob, which all slow readers share; null with a status that has no body. */
export interface PageAnswer {
  status: number;
  /** The media type. */
  type: string;
  body: Data | null;
  /** Override the usual headers, such as the policy and cache control; or add others, such as an encoding. */
  headers?: Readonly<Record<string, string>>;
}

export interface Page {
  name: string;
  /** `/assets/*` matches that path and everything below it. */
  paths: readonly string[];
  /** True if browsers get this page at any unused path outside of the API. */
  isElsewhere?: boolean;
  /** True if this caller may see the page; others get a 404. Without it anybody may. */
  isOpenTo?(headers: Headers, clientIp: () => string): boolean;
  answer(asked: PageRequest): Promise<PageAnswer>;
}
