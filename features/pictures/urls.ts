// The addresses that a picture may be had from: http or https on their usual ports, and hosts on the public internet.
import type { PublicUrls } from "../../server/outbound/addresses.ts";

export const pictureUrls: PublicUrls = { field: "url", protocols: ["http:", "https:"], ports: [80, 443] };
