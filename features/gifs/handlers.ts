// Searching for GIFs.
import { limits } from "../../protocol/limits.ts";
import { type Feature, handle } from "../../server/house/feature.ts";
import { pageLength } from "../../server/house/reply.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { findGifs } from "./asking.ts";
import * as contract from "./contract.ts";
import { checkGifs } from "./doctor.ts";

export const gifs: Feature = {
  name: "gifs",
  operations: [
    handle(contract.searchGifs, ({ query, unit }) => find(unit, query.q, query.limit)),
    handle(contract.trendingGifs, ({ query, unit }) => find(unit, undefined, query.limit)),
  ],
  checks: [{ about: "GIFs", look: checkGifs }],
};

function find(
  { house }: UnitOfWork,
  words: string | undefined,
  limit: number | undefined,
): Promise<contract.Gif[]> {
  return findGifs(house, { words, limit: pageLength(limit, limits.gifs_max, limits.gifs_default) });
}
