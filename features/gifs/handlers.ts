// What people find when they look for a GIF.
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/feature.ts";
import { findGifs } from "./asking.ts";
import * as contract from "./contract.ts";

export const gifs: Feature = {
  name: "gifs",
  operations: [
    handle(contract.searchGifs, ({ query, unit }) =>
      findGifs(unit.house, { words: query.q, limit: clamped(query.limit) }),
    ),

    handle(contract.trendingGifs, ({ query, unit }) =>
      findGifs(unit.house, { words: undefined, limit: clamped(query.limit) }),
    ),
  ],
};

function clamped(limit = limits.gifs_default as number): number {
  return Math.min(Math.max(limit, 1), limits.gifs_max);
}
