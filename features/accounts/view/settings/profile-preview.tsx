// A preview of the user's card as others will see it, with unsaved changes.
import { Face } from "../../../../web/ui/controls/face.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { User } from "../../contract.ts";
import { BadgeList } from "./badge-list.tsx";
import styles from "./profile.module.css";

export function ProfilePreview({ user }: { user: User }) {
  const { profile: words } = useWords();
  const { id, display_name, username, avatar, bio, status_text, accent_color, badges } = user;
  return (
    <section className={styles.card} aria-label={words.previewName(display_name)}>
      <div className={styles.top}>
        <Face id={id} name={display_name || username} picture={avatar} size={64} />
        <div className={styles.who}>
          <p className={styles.name}>
            <span className="lit" style={accent_color ? { "--user": accent_color } : {}}>
              {display_name || username}
            </span>
          </p>
          <p className={styles.username}>@{username}</p>
        </div>
      </div>
      {status_text && <p>{status_text}</p>}
      {bio && <p className={styles.bio}>{bio}</p>}
      {badges.length > 0 && <BadgeList badges={badges} />}
    </section>
  );
}
