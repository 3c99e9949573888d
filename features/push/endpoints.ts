// Allowed push endpoints: https on port 443, and hosts on the public internet.
import type { PublicUrls } from "../../server/outbound/addresses.ts";

export const endpoints: PublicUrls = { field: "endpoint", protocols: ["https:"], ports: [443] };
