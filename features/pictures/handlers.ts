// Operations on pictures of other hosts.
import { type Feature, handle } from "../../server/house/feature.ts";
import { whenAsked } from "../../server/house/question.ts";
import { readPublicUrl } from "../../server/outbound/addresses.ts";
import { storedBytes } from "../storage/access.ts";
import { answerWith } from "./answering.ts";
import * as contract from "./contract.ts";
import { checkPictures } from "./doctor.ts";
import { findPicture, picturesBytes, stopFetching } from "./finding.ts";
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
  answers: [whenAsked(storedBytes, async ({ house }) => ({ pictures_bytes: await picturesBytes(house) }))],
  checks: [{ about: "pictures", look: checkPictures }],
  close: stopFetching,
};
