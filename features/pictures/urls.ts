// The URLs that pictures may have: http or https on their default ports, and hosts on the public internet.
import type { PublicUrls } from "../../server/outbound/addresses.ts";

export const pictureUrls: PublicUrls = { field: "url", protocols: ["http:", "https:"], ports: [80, 443] };
