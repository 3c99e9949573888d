// The user's own row at the foot of the sidebar: avatar, name, status and menu.
import { Settings } from "lucide-react";
import { memo, type ReactNode, useId } from "react";
import { useLocation } from "wouter";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Face } from "../../../web/ui/controls/face.tsx";
import { PresenceMark } from "../../../web/ui/controls/presence-mark.tsx";
import { filled } from "../../../web/ui/loading/slots.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { type MenuItem, MenuOpener, type Opener } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useAway } from "../../../web/ui/session/away.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { aboveYou, youMenu } from "./slots.ts";
import styles from "./you.module.css";

export const YouRow = memo(function YouRow() {
  const { accounts: words } = useWords();
  const user = useCopy((copy) => copy.user);
  const [, navigate] = useLocation();
  const id = useId();
  // Without a connection, others do not see the user as present.
  const isAway = useAway();
  return (
    <footer className={styles.foot}>
      {filled(aboveYou, {})}
      <div className={styles.row}>
        <div className={styles.you}>
          <YouMenu>
            {(opener) => (
              // The button covers the text that describes it, so its label is one word.
              <button
                type="button"
                {...opener}
                aria-label={words.you}
                aria-describedby={id}
                className={styles.cover}
              />
            )}
          </YouMenu>
          <Face id={user.id} name={user.display_name} picture={user.avatar} size={32}>
            <PresenceMark status={isAway ? "offline" : user.presence} />
          </Face>
          <span id={id} className={styles.who}>
            <b>{user.display_name}</b>
            <span>{isAway ? words.connecting : user.status_text || words.presence[user.presence]}</span>
          </span>
        </div>
        <IconButton
          label={words.settings}
          icon={Settings}
          onClick={() => navigate(paths.settings("profile"))}
        />
      </div>
    </footer>
  );
});

/** The user's menu, the same wherever it is opened from. */
export function YouMenu({ children }: { children(opener: Opener): ReactNode }) {
  const { accounts: words } = useWords();
  const [, navigate] = useLocation();
  const own: MenuItem = {
    id: "settings",
    label: words.settings,
    icon: Settings,
    onChoose: () => navigate(paths.settings("profile")),
  };
  return (
    <MenuOpener label={words.you} items={menuOf(youMenu, {}, [own])} placement="top start">
      {children}
    </MenuOpener>
  );
}
