// The requests to and responses of each GIF provider.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { type Gif, gif } from "./contract.ts";

/** A search; without words, for popular GIFs. */
export interface Wish {
  words: string | undefined;
  limit: number;
}

interface Provider {
  /** The provider's address, unless another is configured. */
  origin: string;
  /** Path and query of a search. It holds the key, so it is never logged or shown. */
  address(key: string, wish: Wish): string;
  /** Throws when the response does not match the provider's documentation. */
  gifsIn(answer: unknown): Gif[];
}

function query(pairs: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(pairs)) if (value !== undefined) search.set(name, String(value));
  return search.toString();
}

/** Limit of the parsed entries of a response: as many as are ever requested, and others that cannot be shown. */
const mostEntries = 2 * limits.gifs_max;

/** Leaves out entries that cannot be shown: advertisements, pictures without a URL. */
function fitting(entries: readonly unknown[], candidateIn: (entry: unknown) => unknown): Gif[] {
  return entries.slice(0, mostEntries).flatMap((each) => gif.safeParse(candidateIn(each)).data ?? []);
}

// https://docs.klipy.com: the key is part of the path; each GIF comes in four sizes and several formats.
const klipySize = z.object({ gif: z.object({ url: z.string(), width: z.int(), height: z.int() }) });
const klipyGif = z.object({
  id: z.union([z.int(), z.string()]).transform(String),
  title: z.string().nullish(),
  file: z.object({ hd: klipySize, md: klipySize, sm: klipySize, xs: klipySize }).partial(),
});
const klipyAnswer = z.object({ result: z.literal(true), data: z.object({ data: z.array(z.unknown()) }) });
/** The smallest page of the provider. */
const klipyLeast = 8;

const klipy: Provider = {
  origin: "https://api.klipy.com",
  address: (key, { words, limit }) =>
    `/api/v1/${encodeURIComponent(key)}/gifs/${words === undefined ? "trending" : "search"}?${query({
      q: words,
      page: 1,
      per_page: Math.max(limit, klipyLeast),
      content_filter: "medium",
      // People stay unknown to the provider: the whole server is one customer.
      customer_id: "hearth",
    })}`,
  gifsIn: (answer) =>
    fitting(klipyAnswer.parse(answer).data.data, (each) => {
      const { id, title, file } = klipyGif.safeParse(each).data ?? {};
      const shown = file?.md ?? file?.hd ?? file?.sm;
      const preview = file?.sm ?? file?.xs ?? shown;
      return { id, title: title ?? "", ...shown?.gif, preview_url: preview?.gif.url };
    }),
};

// https://developers.giphy.com/docs/api: the key is a parameter; numbers come as text.
const giphyImage = z.object({
  url: z.string(),
  width: z.coerce.number().int(),
  height: z.coerce.number().int(),
});
const giphyGif = z.object({
  id: z.string(),
  title: z.string().nullish(),
  images: z.object({
    original: giphyImage,
    downsized_medium: giphyImage.optional().catch(undefined),
    fixed_width: giphyImage.optional().catch(undefined),
  }),
});
const giphyAnswer = z.object({ data: z.array(z.unknown()) });

const giphy: Provider = {
  origin: "https://api.giphy.com",
  address: (key, { words, limit }) =>
    `/v1/gifs/${words === undefined ? "trending" : "search"}?${query({
      api_key: key,
      q: words,
      limit,
      offset: 0,
      rating: "pg-13",
    })}`,
  gifsIn: (answer) =>
    fitting(giphyAnswer.parse(answer).data, (each) => {
      const { id, title, images } = giphyGif.safeParse(each).data ?? {};
      const shown = images?.downsized_medium ?? images?.original;
      return { id, title: title ?? "", ...shown, preview_url: (images?.fixed_width ?? shown)?.url };
    }),
};

export const providers: Readonly<Record<"klipy" | "giphy", Provider>> = { klipy, giphy };
