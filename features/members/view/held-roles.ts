// The roles of a member, as the reader of their card gives and takes them.
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { type Act, useAct } from "../../../web/ui/overlays/act.ts";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useInOrder } from "../../../web/ui/session/in-order.ts";
import type { Role } from "../../roles/contract.ts";
import { standingIn } from "../../roles/view/standing.ts";
import type { Member } from "../contract.ts";
import { giveRoles } from "./give-roles.ts";

interface HeldRoles {
  /** The ids of the roles as the reader wants them, at once; afterwards as the server has them. */
  heldIds: readonly string[];
  /** True if the reader may give this member the role, and take it. */
  mayGive(role: Role): boolean;
  toggle(id: string): void;
  act: Act;
}

/** Until the server and the member are known, the list of roles is empty, and none may be given. */
export function useHeldRoles(
  server: OwnServer | undefined,
  member: Member | null | undefined,
  onRefused: (error: unknown) => void = () => {},
): HeldRoles {
  const { chat } = useHouse();
  const ownId = useCopy((copy) => copy.user.id);
  const standing = server && standingIn(server, ownId);
  const act = useAct();
  const inOrder = useInOrder();
  const [wanted, setWanted] = useState<readonly string[]>();
  const heldIds = wanted ?? member?.role_ids ?? [];
  const mayChange =
    member != null &&
    standing?.may("MANAGE_SERVER") === true &&
    (member.user.id === ownId || standing.outranks(member.user.id, member.role_ids));
  function toggle(id: string) {
    if (!server || !member) return;
    const others = heldIds.filter((each) => each !== id);
    const after = others.length < heldIds.length ? others : [...others, id];
    setWanted(after);
    // A call replaces all roles of a member.
    inOrder(async () => {
      // A role deleted meanwhile cannot be held.
      const known = after.filter((each) => server.roles.some((role) => role.id === each));
      const changing = giveRoles(chat, server.id, member.user.id, known);
      changing.catch(onRefused);
      await act.run(() => changing);
      setWanted((latest) => (latest === after ? undefined : latest));
    });
  }
  return {
    heldIds,
    mayGive: ({ is_default, position }) =>
      mayChange && !is_default && standing !== undefined && position < standing.rank,
    toggle,
    act,
  };
}
