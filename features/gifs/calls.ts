// Calls of the operations about gifs, for pages.
import { calling } from "../../client/call.ts";
import type * as contract from "./contract.ts";

export const searchGifs = calling<typeof contract.searchGifs>("GET", "/gifs/search");
export const trendingGifs = calling<typeof contract.trendingGifs>("GET", "/gifs/trending");
