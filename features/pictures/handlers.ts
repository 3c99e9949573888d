// What people do with pictures of other hosts.
import { type Feature, handle } from "../../server/house/feature.ts";
import { readPublicUrl } from "../../server/outbound/addresses.ts";
import { answerWith } from "./answering.ts";
import * as contract from "./contract.ts";
import { findPicture, stopFetching } from "./finding.ts";
import { pictureUrls } from "./urls.ts";

export const pictures: Feature = {
  name: "pictures",
  operations: [
    handle(contract.getPicture, async ({ caller, query, request, unit }) => {
      const url = readPublicUrl(query.url, pictureUrls);
      const picture = await findPicture(unit.house, caller.userId, url);
      return answerWith(picture, request.raw.headers);
    }),
  ],
  close: stopFetching,
};
