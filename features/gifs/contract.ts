// GIFs: searched at a provider, to which this server sends requests on everybody's behalf.
import { z } from "zod";
import { limits } from "../../protocol/limits.ts";
import { operation } from "../../protocol/operation.ts";
import { httpUrl, integerInQuery, isAtMost, notBlankPattern } from "../../protocol/shapes.ts";

/** `preview_url` is a smaller version; width and height are those of `url`. */
export const gif = z
  .object({
    id: z.string(),
    title: z.string(),
    url: httpUrl,
    preview_url: httpUrl,
    width: z.int(),
    height: z.int(),
  })
  .meta({ id: "Gif" });

export type Gif = z.infer<typeof gif>;

const limit = integerInQuery
  .optional()
  .meta({ description: `1 to ${limits.gifs_max}, default ${limits.gifs_default}` });

const answers = { 200: { description: "The GIFs, the fitting ones first", body: z.array(gif) } };

export const searchGifs = operation({
  name: "searchGifs",
  method: "GET",
  path: "/gifs/search",
  summary: "GIFs for some words",
  caller: "person",
  lane: "read",
  query: z.object({
    q: z
      .string()
      .trim()
      .min(1)
      .refine(isAtMost(limits.gif_query_max), {
        error: `must be at most ${limits.gif_query_max} characters`,
        abort: true,
      })
      .refine((words) => !words.includes("\0"), "must not hold NUL")
      .meta({ maxLength: limits.gif_query_max, pattern: notBlankPattern, description: "Not blank" }),
    limit,
  }),
  answers,
  errors: ["not_configured", "unavailable"],
});

export const trendingGifs = operation({
  name: "trendingGifs",
  method: "GET",
  path: "/gifs/trending",
  summary: "GIFs that are popular at the moment",
  caller: "person",
  lane: "read",
  query: z.object({ limit }),
  answers,
  errors: ["not_configured", "unavailable"],
});
