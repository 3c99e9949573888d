// Fetches one picture from its host: within bounds of time and size, and without a word about who asks.
import type { IncomingMessage } from "node:http";
import { limits } from "../../protocol/limits.ts";
import { gathered } from "../../server/http/body.ts";
import { readPublicUrl } from "../../server/outbound/addresses.ts";
import type { Network } from "../../server/outbound/network.ts";
import { sendRequest, within } from "../../server/outbound/request.ts";
import { type RasterFormat, rasterFormatOf } from "./raster.ts";
import { pictureUrls } from "./urls.ts";

export interface FetchedPicture {
  format: RasterFormat;
  bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970. */
  fetchedAt: number;
}

/** From the look-up of the first name to the last byte, redirects included. */
const patienceMs = 5000;
const mostRedirects = 3;

/** All that a host learns. */
const headers = {
  Accept: "image/avif, image/webp, image/png, image/jpeg, image/gif",
  "Accept-Encoding": "identity",
  "User-Agent": "Hearth",
};

/**
 * Throws invalid_request when a redirect leads to an address that may not be asked, NotPublic when a name leads to one,
 * and any other error, with the reason in its message, when there is no picture.
 */
export async function fetchPicture(
  network: Network,
  url: URL,
  closing: AbortSignal,
): Promise<FetchedPicture> {
  const signal = AbortSignal.any([closing, AbortSignal.timeout(patienceMs)]);
  const response = await follow(network, url, signal);
  try {
    const bytes = await bodyOf(response, signal);
    const format = rasterFormatOf(bytes);
    if (!format) throw new Error("not a picture");
    return { format, bytes, fetchedAt: Date.now() };
  } finally {
    response.destroy();
  }
}

async function follow(network: Network, first: URL, signal: AbortSignal): Promise<IncomingMessage> {
  let url = first;
  for (let followed = 0; ; followed++) {
    const response = await sendRequest(network, { method: "GET", url, headers, signal });
    const target = redirectOf(response);
    if (target === undefined) return response;
    response.destroy();
    if (followed === mostRedirects) throw new Error("too many redirects");
    url = readPublicUrl(new URL(target, url).href, pictureUrls);
  }
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage): string | undefined {
  if (location === undefined || ![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  // The runtime reads headers letter by letter; hosts that do not escape an address write it in UTF-8.
  return Buffer.from(location, "latin1").toString("utf8");
}

async function bodyOf(response: IncomingMessage, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { statusCode, headers: said } = response;
  if (statusCode !== 200) throw new Error(`status ${statusCode}`);
  // A body that comes compressed, though it was asked for as it is, could unfold to any size.
  if (!/^(identity)?$/i.test(said["content-encoding"] ?? "")) throw new Error("compressed");
  if (Number(said["content-length"]) > limits.picture_bytes_max) throw tooLarge();
  const whole = await within(signal, gathered({ body: response }, limits.picture_bytes_max, tooLarge));
  return new Uint8Array(whole.buffer, whole.byteOffset, whole.byteLength);
}

function tooLarge(): Error {
  return new Error("too large");
}
