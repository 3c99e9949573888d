// Pictures of other hosts, fetched by this server for everybody: the hosts do not learn who views them.
import { z } from "zod";
import { operation } from "../../protocol/operation.ts";
import { httpUrl } from "../../protocol/shapes.ts";

const url = httpUrl.meta({
  format: "uri",
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
  description:
    "Of a host on the public internet, port 80 or 443, without a name or a password in it; redirects lead to such, too",
});

const headers = { ETag: z.string().meta({ description: "For If-None-Match and If-Range" }) };
const partHeaders = {
  ...headers,
  "Content-Range": z.string().meta({ description: "Which bytes these are, and of how many" }),
};

export const getPicture = operation({
  name: "getPicture",
  method: "GET",
  path: "/pictures",
  summary: "A picture of another host; 400 for a host that is not public, 404 when no picture can be had",
  caller: "person",
  lane: "read",
  // The response has the type of the actual content.
  produces: "image/*",
  query: z.object({ url }),
  answers: {
    200: {
      description: "The picture: JPEG, PNG, GIF, WebP or AVIF, whatever type its host said",
      headers,
    },
    206: { description: "The part of the picture that was asked for", headers: partHeaders },
    304: { description: "The caller has it already" },
  },
  errors: ["not_found", "range_not_satisfiable"],
});
