// Reports the storage use to admins of the instance.
import { type Feature, handle } from "../../server/house/feature.ts";
import { needInstanceAdmin } from "../accounts/access.ts";
import { storageOf } from "./access.ts";
import * as contract from "./contract.ts";

export const storage: Feature = {
  name: "storage",
  operations: [
    handle(contract.getStorage, async ({ caller, unit }) => {
      await needInstanceAdmin(unit, caller.userId);
      return storageOf(unit.house)();
    }),
  ],
};
