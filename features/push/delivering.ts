// Brings a notification to one browser. Loaded with the first push: many servers never send one.
import type { House } from "../../server/house/house.ts";
import type { Pushed } from "./contract.ts";
import { network } from "./network.ts";
import { type Outcome, type Parcel, post } from "./post.ts";
import { sealed } from "./sealing.ts";
import type { SubscriptionsTable } from "./store.ts";

/** Never throws. */
export async function sendTo(
  house: House,
  to: SubscriptionsTable,
  notice: Pushed,
  closing: AbortSignal,
): Promise<Outcome> {
  let parcel: Parcel;
  try {
    parcel = sealed(house, to, notice);
  } catch {
    return { kind: "refused", why: "it could not be encrypted or signed" };
  }
  return post(network(house).current, parcel, closing);
}
