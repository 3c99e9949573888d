// A mention of a person or role, or a link to a channel.

import { useSyncExternalStore } from "react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Link } from "../../../../web/ui/navigation/link.tsx";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import { useCopy, useHouse, useOfServer } from "../../../../web/ui/session/house.tsx";
import { personButton } from "../../../members/view/open-profile.tsx";
import type { Call } from "../../text/calls.ts";
import styles from "./prose.module.css";

interface Props extends Pick<Call, "id" | "text"> {
  serverId: string | null;
}

export function CallPill({ what, ...call }: Props & Pick<Call, "what">) {
  switch (what) {
    case "channel":
      return (
        <Link href={paths.channel({ server_id: call.serverId, id: call.id })} className={styles.pill}>
          {call.text}
        </Link>
      );
    case "person":
      return <PersonPill {...call} />;
    case "role":
      return <RolePill {...call} />;
    case "everyone":
      return <span className={styles.me}>{call.text}</span>;
  }
}

/** A mention holds the username, and shows the display name, as lists and cards do. */
function PersonPill({ id, text, serverId }: Props) {
  const callsMe = useCopy(({ user }) => id === user.id);
  const name = useDisplayName(serverId, id);
  return (
    <button
      {...personButton({ serverId, userId: id }, name ?? text.slice(1))}
      tabIndex={-1}
      title={text}
      className={callsMe ? styles.me : styles.pill}
    >
      {name === undefined ? text : `@${name}`}
    </button>
  );
}

/** Fetches nobody: `useNames` does. */
function useDisplayName(serverId: string | null, id: string): string | undefined {
  const { members } = useHouse();
  const known = useCopy(({ user, direct }) => {
    if (id === user.id) return user.display_name;
    const met = serverId === null ? [...direct.values()].flatMap(({ recipients }) => recipients) : [];
    return met.find((each) => each.id === id)?.display_name;
  });
  const there = useSyncExternalStore(members.subscribe, () => members.get(serverId, id)?.user.display_name);
  return known ?? there;
}

function RolePill({ id, text, serverId }: Props) {
  const callsMe = useOfServer(serverId, ({ role_ids }) => role_ids.includes(id));
  const colour = useOfServer(serverId, ({ roles }) => roles.find((role) => role.id === id)?.color);
  return (
    <span
      className={classNames(callsMe ? styles.me : styles.pill, colour && !callsMe && "lit")}
      style={colour ? { "--user": colour } : undefined}
    >
      {text}
    </span>
  );
}
