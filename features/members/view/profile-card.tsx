// The card of a person: profile, roles, and the actions on them.
import { useEffect, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { EmojiOrPicture } from "../../../web/ui/controls/emoji-or-picture.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { Popover } from "../../../web/ui/overlays/popover.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy, useServer } from "../../../web/ui/session/house.tsx";
import { dateOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Badge, User } from "../../accounts/contract.ts";
import { getUser } from "../calls.ts";
import { CardEntry } from "./card-entry.tsx";
import { CardMenu } from "./card-menu.tsx";
import { CardRoles } from "./card-roles.tsx";
import { useMember } from "./members.ts";
import styles from "./profile-card.module.css";
import { cardActions, onCard } from "./slots.ts";

interface Props {
  /** Null where the person is met outside of servers. */
  serverId: string | null;
  userId: string;
  anchor: HTMLElement;
  onClose(): void;
}

export function ProfileCard({ serverId, userId, anchor, onClose }: Props) {
  const { members: words, parts } = useWords();
  const anchored = useRef(anchor);
  const { user, error } = usePerson(serverId, userId);
  return (
    <Popover
      label={user ? words.profileOf(user.display_name) : words.profile}
      anchor={anchored}
      placement="right top"
      onClose={onClose}
    >
      <div className={styles.card}>
        {user === undefined && !error && <p role="status">{parts.loading}</p>}
        <Refused by={error} />
        {user === null && <p>{words.gone}</p>}
        {user && <Profile user={user} serverId={serverId} close={onClose} />}
      </div>
    </Popover>
  );
}

/** Returns the member, or a person who left but shares another server. Undefined: not known yet; null: not visible. */
function usePerson(serverId: string | null, userId: string) {
  const member = useMember(serverId, userId);
  const [other, setOther] = useState<User | null>();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    if (member !== null) return;
    const over = new AbortController();
    getUser({ params: { id: userId } }, over.signal).then(setOther, (thrown: unknown) => {
      if (over.signal.aborted) return;
      const refusal = CallError.from(thrown);
      if (refusal.passes) setError(refusal);
      else setOther(null);
    });
    return () => over.abort();
  }, [member, userId]);
  return { user: member?.user ?? other, error };
}

interface ProfileProps {
  user: User;
  serverId: string | null;
  close(): void;
}

function Profile({ user, serverId, close }: ProfileProps) {
  const { members: words } = useWords();
  const presence = useServer(serverId)?.presences.find(({ user_id }) => user_id === user.id);
  const statusText = presence?.status_text ?? user.status_text;
  return (
    <>
      <Top user={user} serverId={serverId} />
      {statusText && <p className={styles.status}>{statusText}</p>}
      {filled(onCard, { user, serverId })}
      <div className={styles.actions}>
        {filled(cardActions, { user, serverId, close })}
        <CardMenu user={user} serverId={serverId} close={close} />
      </div>
      <div className={styles.facts}>
        {serverId !== null && <CardRoles serverId={serverId} userId={user.id} />}
        {user.badges.length > 0 && (
          <CardEntry label={words.badges} isNamed>
            <Badges badges={user.badges} />
          </CardEntry>
        )}
        {user.bio && (
          <CardEntry label={words.about}>
            <p className={styles.bio}>{user.bio}</p>
          </CardEntry>
        )}
      </div>
    </>
  );
}

function Top({ user, serverId }: Omit<ProfileProps, "close">) {
  const { accounts, members: words } = useWords();
  const presence = useServer(serverId)?.presences.find(({ user_id }) => user_id === user.id);
  const member = useMember(serverId, user.id);
  const isMe = useCopy((copy) => copy.user.id === user.id);
  const status = presence?.status ?? (isMe || serverId === null ? user.presence : "offline");
  const accent = user.accent_color;
  return (
    <header className={styles.top} style={accent ? { "--user": accent } : undefined} data-accent={!!accent}>
      <Face id={user.id} name={user.display_name} picture={user.avatar} size={72}>
        <PresenceMark status={status} />
      </Face>
      <div className={styles.who}>
        <h2>{user.display_name}</h2>
        <span>
          @{user.username} · {accounts.presence[status]}
        </span>
        {member && <span>{words.hereSince(dateOf(new Date(member.joined_at)))}</span>}
      </div>
    </header>
  );
}

function Badges({ badges }: { badges: readonly Badge[] }) {
  const { members: words } = useWords();
  return (
    <ul className={styles.chips} aria-label={words.badges}>
      {badges.map((badge) => (
        <li key={badge.id} className={styles.chip} title={badge.description || badge.name}>
          <span className={styles.badge} aria-hidden="true">
            <EmojiOrPicture of={badge.icon} />
          </span>
          {badge.name}
        </li>
      ))}
    </ul>
  );
}
