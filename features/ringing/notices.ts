// The pushes of a call, made when they are sent: a call that is over is not worth a notification.
import { timeText } from "../../protocol/clock.ts";
import { directPath } from "../../protocol/links.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { authorOf } from "../accounts/access.ts";
import { selectChannelsById } from "../channels/access.ts";
import { calledAmong } from "../push/access.ts";
import type { Notice } from "../push/contract.ts";
import { isWaiting } from "./access.ts";
import { selectRingsOfCall } from "./store.ts";

/** Returns the notices of a call by person, for those of these people whom it rings for and who are to be told now. */
export async function noticesOfCall(
  unit: UnitOfWork,
  callId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Notice>> {
  const now = Date.now();
  const rings = (await selectRingsOfCall(unit.db, callId)).filter(
    (each) => each.state === "ringing" && isWaiting(each, now) && userIds.includes(each.user_id),
  );
  const [call] = rings;
  const [channel] = call ? await selectChannelsById(unit.db, [call.channel_id]) : [];
  if (!call || !channel) return new Map();
  const place = { server_id: null, channel_id: call.channel_id };
  const rung = rings.map(({ user_id }) => user_id);
  const called = await calledAmong(unit, place, call.caller_id, rung);
  const { display_name } = await authorOf(unit, call.caller_id);
  const notice: Notice = {
    type: "call",
    ...place,
    title: channel.name === "" ? display_name : `${display_name} (${channel.name})`,
    body: "Incoming call",
    url: unit.house.publicUrl + directPath(call.channel_id),
    until: timeText(call.until),
  };
  return new Map([...called].map((id) => [id, notice]));
}
