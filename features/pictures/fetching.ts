// Fetches one picture from its host, bounded in time and size, without revealing who asks.
import { limits } from "../../protocol/limits.ts";
import { type RasterFormat, rasterFormatOf } from "../../protocol/raster.ts";
import { inTime, type Time } from "../../server/in-time.ts";
import { readPublicUrl } from "../../server/outbound/addresses.ts";
import { type Network, patienceOf } from "../../server/outbound/network.ts";
import { sendRequest } from "../../server/outbound/request.ts";
import type { Answer, Head } from "../../server/wire/answer.ts";
import { pictureUrls } from "./urls.ts";

export interface FetchedPicture {
  format: RasterFormat;
  bytes: Uint8Array<ArrayBuffer>;
  /** Milliseconds since 1970. */
  fetchedAt: number;
}

const mostRedirects = 3;

/** Everything that a host is told. */
const headers = {
  Accept: "image/avif, image/webp, image/png, image/jpeg, image/gif",
  "Accept-Encoding": "identity",
  "User-Agent": "Hearth",
};

/**
 * Throws invalid_request if a redirect leads to a forbidden address, NotPublic if a name resolves to one, and another
 * error with the reason in its message if there is no picture.
 */
export function fetchPicture(network: Network, url: URL, closing: AbortSignal): Promise<FetchedPicture> {
  const until = performance.now() + patienceOf(network);
  return inTime({ until, closing }, async (ending) => {
    const { body: bytes } = await follow(network, url, { until, closing: ending });
    const format = rasterFormatOf(bytes);
    if (!format) throw new Error("not a picture");
    return { format, bytes, fetchedAt: Date.now() };
  });
}

async function follow(network: Network, first: URL, time: Time): Promise<Answer> {
  let url = first;
  for (let followed = 0; ; followed++) {
    const answer = await sendRequest(network, {
      ...{ method: "GET", url, headers, mostBody, bodyMax: limits.picture_bytes_max },
      ...time,
    });
    const target = redirectOf(answer);
    if (target === undefined) return answer;
    if (followed === mostRedirects) throw new Error("too many redirects");
    url = readPublicUrl(new URL(target, url).href, pictureUrls);
  }
}

function redirectOf({ status, headers: said }: Head): string | undefined {
  const location = said.get("location");
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  // Header bytes are decoded as Latin-1; hosts that do not escape a URL write it in UTF-8.
  return Buffer.from(location, "latin1").toString("utf8");
}

/** The most bytes to read of a body: none of a redirect. */
function mostBody(head: Head): number {
  if (redirectOf(head) !== undefined) return 0;
  if (head.status !== 200) throw new Error(`status ${head.status}`);
  // A compressed body, although none was accepted, could expand to any size.
  if (!/^(identity)?$/i.test(head.headers.get("content-encoding") ?? "")) throw new Error("compressed");
  return limits.picture_bytes_max;
}
