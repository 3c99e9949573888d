// The virtualised rows of the list of members: only visible ones are rendered, and the arrow keys move through all of
// them.
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { VList, type VListHandle } from "virtua";
import { useOfServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Group, Person } from "./groups.ts";
import styles from "./people-list.module.css";
import { PersonRow } from "./person-row.tsx";

interface Props {
  serverId: string;
  groups: readonly Group[];
  hasMore: boolean;
  /** Called when the end of the loaded rows comes into view. */
  onEnd(): void;
}

type Row = { group: Group } | { person: Person };

/** How near to the end, in pixels, the next page is fetched. */
const nearEndPx = 800;

export function PeopleList({ serverId, groups, hasMore, onEnd }: Props) {
  const { members: words } = useWords();
  const ownerId = useOfServer(serverId, (server) => server.owner_id);
  const list = useRef<VListHandle>(null);
  const [stop, setStop] = useState<string>();
  const rows = useMemo<Row[]>(
    () => groups.flatMap((group) => [{ group }, ...group.people.map((person) => ({ person }))]),
    [groups],
  );
  const ids = useMemo(() => rows.map((row) => ("person" in row ? row.person.member.user.id : "")), [rows]);
  const stopId = stop !== undefined && ids.includes(stop) ? stop : ids.find(Boolean);
  const stopAt = stopId === undefined ? -1 : ids.indexOf(stopId);

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const at = nextStop(ids, stopAt, event.key);
    if (at === undefined) return;
    event.preventDefault();
    const id = ids[at] ?? "";
    setStop(id);
    list.current?.scrollToIndex(at, { align: "nearest" });
    const box = event.currentTarget;
    // The row is rendered once it is in view.
    requestAnimationFrame(() => box.querySelector<HTMLElement>(`[data-person="${id}"]`)?.focus());
  }

  function onScroll(offset: number) {
    const { scrollSize = 0, viewportSize = 0 } = list.current ?? {};
    if (hasMore && scrollSize - viewportSize - offset < nearEndPx) onEnd();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it.
    <div className={styles.list} onKeyDown={onKeyDown}>
      <VList ref={list} className={styles.rows} keepMounted={stopAt < 0 ? [] : [stopAt]} onScroll={onScroll}>
        {rows.map((row) =>
          "group" in row ? (
            <h3 key={row.group.key} className={styles.group}>
              {nameOf(row.group, words)} <span>{words.count(row.group.count)}</span>
            </h3>
          ) : (
            <PersonRow
              key={row.person.member.user.id}
              serverId={serverId}
              person={row.person}
              isOwner={row.person.member.user.id === ownerId}
              isStop={row.person.member.user.id === stopId}
              onStop={() => setStop(row.person.member.user.id)}
            />
          ),
        )}
      </VList>
    </div>
  );
}

function nameOf({ key, role }: Group, words: { here: string; offline: string }): string {
  if (role) return role.name;
  return key === "here" ? words.here : words.offline;
}

/** Returns the index of the row to which a key moves; undefined: nowhere. */
function nextStop(ids: readonly string[], at: number, key: string): number | undefined {
  const isPerson = (index: number) => ids[index] !== undefined && ids[index] !== "";
  const step = key === "ArrowDown" || key === "Home" ? 1 : key === "ArrowUp" || key === "End" ? -1 : 0;
  if (step === 0) return undefined;
  let next = key === "Home" ? 0 : key === "End" ? ids.length - 1 : at + step;
  while (next >= 0 && next < ids.length && !isPerson(next)) next += step;
  return isPerson(next) ? next : undefined;
}
