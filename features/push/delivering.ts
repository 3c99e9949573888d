// Delivers a notification to one browser. Loaded with the first push: many servers never send one.
import type { House } from "../../server/house/house.ts";
import { network } from "../../server/outbound/network.ts";
import type { Notice } from "./contract.ts";
import { encrypted } from "./encryption.ts";
import { deliver, type Outcome, type PushRequest } from "./push-request.ts";
import type { SubscriptionsTable } from "./store.ts";

/** Never throws. */
export async function sendTo(
  house: House,
  to: SubscriptionsTable,
  notice: Notice,
  closing: AbortSignal,
): Promise<Outcome> {
  let request: PushRequest;
  try {
    request = encrypted(house, to, notice);
  } catch {
    return { kind: "refused", why: "it could not be encrypted or signed" };
  }
  return deliver(network(house).current, request, closing);
}
