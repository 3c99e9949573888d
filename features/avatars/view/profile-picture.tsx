// The picture in the settings of a profile.
import { ownPicture } from "../../../protocol/own-picture.ts";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { getMe } from "../../accounts/calls.ts";
import type { Me } from "../../accounts/contract.ts";
import { deleteAvatar } from "../calls.ts";
import styles from "./picture.module.css";
import { PictureButtons } from "./picture-buttons.tsx";

export function ProfilePicture({ user }: { user: Me }) {
  const { avatars: words } = useWords();
  const { chat } = useHouse();
  const isOwn = ownPicture.test(user.avatar ?? "");
  const show = ({ avatar }: Pick<Me, "avatar">) =>
    chat.change((copy) => ({ ...copy, user: { ...copy.user, avatar } }));
  return (
    <Entry label={words.picture}>
      <div className={styles.entry}>
        <Face id={user.id} name={user.display_name || user.username} picture={user.avatar} size={72} />
        <PictureButtons
          path="/auth/me/avatar"
          hasPicture={isOwn}
          onSaved={(me) => show(me as Me)}
          onRemove={async () => {
            await deleteAvatar();
            show(await getMe());
          }}
        />
      </div>
      <p className={styles.hint}>{user.avatar === null || isOwn ? words.hint : words.derived}</p>
    </Entry>
  );
}
