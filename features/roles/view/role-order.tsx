// The ordered list of roles, highest first, with drag handles, and the button that adds one.
import { Plus } from "lucide-react";
import { useState } from "react";
import type { OwnServer } from "../../../client/servers.ts";
import { limits } from "../../../protocol/limits.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { ReorderList } from "../../../web/ui/controls/reorder-list.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { createRole, updateRole } from "../calls.ts";
import type { Role } from "../contract.ts";
import { positionsFor } from "./order.ts";
import { RoleName } from "./role-name.tsx";
import { type RolesDraft, roleKey } from "./roles-draft.ts";
import styles from "./settings-roles.module.css";
import type { OwnStanding } from "./standing.ts";

interface Props {
  server: OwnServer;
  standing: OwnStanding;
  draft: RolesDraft;
  holders: ReadonlyMap<string, number> | undefined;
  chosenId: string | undefined;
  onChoose(id: string): void;
  /** Called with the id of a role that was created here. */
  onMade(id: string): void;
}

export function RoleOrder(props: Props) {
  const { server, standing, draft, holders, chosenId, onChoose, onMade } = props;
  const { roles: words, parts } = useWords();
  const { ordered, order, act, hasNoRoom } = useOrder(server, standing);
  const isFixed = (role: Role) => role.is_default || role.position >= standing.rank;
  const items = ordered.map((role) => {
    const name = String(draft.values[roleKey(role, "name")] ?? role.name);
    const count = role.is_default ? server.member_count : holders && (holders.get(role.id) ?? 0);
    return {
      id: role.id,
      name,
      isFixed: isFixed(role),
      content: (
        <>
          <RoleName name={name} color={String(draft.values[roleKey(role, "color")] ?? role.color)} />
          {count !== undefined && <span className={styles.count}>{parts.people(count)}</span>}
        </>
      ),
    };
  });
  return (
    <>
      <ReorderList
        label={words.title}
        items={items}
        chosenId={chosenId}
        handleName={words.move}
        onChoose={onChoose}
        onOrder={order}
      />
      <div aria-live="polite">{hasNoRoom && <Problem>{words.noRoom}</Problem>}</div>
      <Refused by={act.error} />
      <NewRole server={server} standing={standing} onMade={onMade} />
    </>
  );
}

/** Shows the wanted order at once, and afterwards the server's. */
function useOrder(server: OwnServer, standing: OwnStanding) {
  const { roles: words } = useWords();
  const act = useAct();
  const [wanted, setWanted] = useState<readonly string[]>();
  const [hasNoRoom, setNoRoom] = useState(false);
  const ordered = wanted
    ? server.roles.toSorted((a, b) => wanted.indexOf(a.id) - wanted.indexOf(b.id))
    : server.roles;
  async function order(ids: readonly string[]) {
    const movable = ids.flatMap((id) =>
      server.roles.filter((role) => role.id === id && !role.is_default && role.position < standing.rank),
    );
    const changes = positionsFor(movable, standing.rank);
    setNoRoom(changes === undefined);
    if (!changes || changes.length === 0) return;
    setWanted(ids);
    const done = await act.run(async () => {
      for (const { id, position } of changes)
        await updateRole({ params: { serverID: server.id, roleID: id }, body: { position } });
    });
    setWanted(undefined);
    if (done) announce(words.reordered);
  }
  return { ordered, order: (ids: readonly string[]) => void order(ids), act, hasNoRoom };
}

function NewRole({
  server,
  standing,
  onMade,
}: {
  server: OwnServer;
  standing: OwnStanding;
  onMade(id: string): void;
}) {
  const { roles: words } = useWords();
  const act = useAct();
  async function make() {
    await act.run(async () => {
      const { id } = await createRole({
        params: { serverID: server.id },
        body: { name: words.newName, color: newColour },
      });
      onMade(id);
    });
  }
  const isFull = server.roles.length >= limits.roles_per_server_max;
  const why = isFull
    ? words.full(limits.roles_per_server_max)
    : standing.rank === 0
      ? words.noRank
      : undefined;
  return (
    <div className={styles.below}>
      <Button isSmall icon={Plus} isBusy={act.isBusy} disabledBecause={why} onClick={() => void make()}>
        {words.make}
      </Button>
      <Refused by={act.error} />
    </div>
  );
}

/** A visible colour for roles created here. */
const newColour = "#6b6f76";
