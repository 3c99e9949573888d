// A name that calls somebody, or leads to a channel.

import { classNames } from "../../../../web/ui/class-names.ts";
import { useCopy } from "../../../../web/ui/house.tsx";
import { Link } from "../../../../web/ui/link.tsx";
import { paths } from "../../../../web/ui/paths.ts";
import { openProfile } from "../../../members/view/open-profile.tsx";
import type { CallToken } from "./calls.ts";
import styles from "./prose.module.css";

interface Props {
  what: CallToken["what"];
  id: string;
  text: string;
  serverId: string;
}

export function CallPill({ what, id, text, serverId }: Props) {
  const callsMe = useCopy(({ user, servers }) => {
    if (what === "person") return id === user.id;
    if (what === "everyone") return true;
    return servers.find((server) => server.id === serverId)?.role_ids.includes(id) ?? false;
  });
  const colour = useCopy(({ servers }) =>
    what === "role"
      ? servers.find((server) => server.id === serverId)?.roles.find((role) => role.id === id)?.color
      : undefined,
  );
  if (what === "channel") {
    return (
      <Link href={paths.channel(serverId, id)} className={styles.pill}>
        {text}
      </Link>
    );
  }
  if (what === "person") {
    return (
      <button
        type="button"
        tabIndex={-1}
        aria-haspopup="dialog"
        className={callsMe ? styles.me : styles.pill}
        onClick={({ currentTarget }) => openProfile(currentTarget, { serverId, userId: id })}
      >
        {text}
      </button>
    );
  }
  return (
    <span
      className={classNames(callsMe ? styles.me : styles.pill, colour && !callsMe && "lit")}
      style={colour ? { "--user": colour } : undefined}
    >
      {text}
    </span>
  );
}
