// "More" on a person's card: the items of their menu that the card has no button for.
import { Ellipsis } from "lucide-react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { MenuOpener } from "../../../web/ui/overlays/menu.tsx";
import { menuOf } from "../../../web/ui/overlays/menu-slots.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { memberMenu } from "./slots.ts";

/** Items that the card shows itself. */
const onCard = ["message", "roles"];

interface Props {
  user: User;
  serverId: string | null;
  /** Closes the card, which an item that is chosen takes the place of. */
  close(): void;
}

export function CardMenu({ user, serverId, close }: Props) {
  const { members: words } = useWords();
  const useItems = menuOf(memberMenu, { user, serverId });
  const [first, ...others] = useItems()
    .filter(({ id }) => !onCard.includes(id))
    .map((item) => ({
      ...item,
      onChoose: () => {
        close();
        item.onChoose?.();
      },
    }));
  if (!first) return null;
  return (
    <MenuOpener label={words.menuOf(user.display_name)} items={[{ ...first, isApart: false }, ...others]}>
      {(opener) => (
        <Button {...opener} aria-label={words.more} title={words.more} icon={Ellipsis}>
          {null}
        </Button>
      )}
    </MenuOpener>
  );
}
