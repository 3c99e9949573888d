// The changes that the reader may make in a channel's overrides.
import type { OwnServer } from "../../../../client/servers.ts";
import { permission } from "../../../../protocol/permissions.ts";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { useMember } from "../../../members/view/members.ts";
import { useStanding } from "../../../roles/view/standing.ts";
import type { OwnChannel } from "../../state.ts";
import type { ChannelRight, Target } from "./targets.ts";

/** Returns whether the reader may change a permission of a target. */
export function useMayChange(server: OwnServer, channel: OwnChannel) {
  const { members } = useHouse();
  const ownId = useCopy(({ user }) => user.id);
  const { rank, outranks } = useStanding(server);
  const ranksBelow = ({ id, kind }: Target) => {
    if (kind === "role") return server.roles.some((role) => role.id === id && role.position < rank);
    return id === ownId || outranks(id, members.get(server.id, id)?.role_ids ?? []);
  };
  return (target: Target, right: ChannelRight) =>
    target.id !== server.owner_id && (channel.permissions & permission[right]) !== 0 && ranksBelow(target);
}

/** Returns why the reader may not change a permission of a target; undefined where they may. */
export function useReason(server: OwnServer, channel: OwnChannel, { id, kind }: Target) {
  const { channelSettings: words } = useWords();
  const ownId = useCopy(({ user }) => user.id);
  const standing = useStanding(server);
  const member = useMember(server.id, kind === "member" ? id : undefined);
  const role = server.roles.find((each) => each.id === id);
  const ranksBelow = role
    ? role.position < standing.rank
    : id === ownId || standing.outranks(id, member?.role_ids ?? []);
  const ofAll = id === server.owner_id ? words.owner : ranksBelow ? undefined : words.above;
  return (right: ChannelRight) =>
    ofAll ?? ((channel.permissions & permission[right]) === 0 ? words.beyond : undefined);
}
