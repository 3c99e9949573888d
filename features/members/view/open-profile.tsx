// Opens the card of a person, or their menu, beside their avatar or name, anywhere on the page.
import type { MouseEvent } from "react";
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { withMenus } from "../../../web/ui/overlays/menu.tsx";

const ProfileCard = laterWithKeys(async () => (await withMenus(import("./profile-card.tsx"))).ProfileCard);
const PersonMenu = laterWithKeys(async () => (await import("./person-menu.tsx")).PersonMenu);

interface Who {
  serverId: string | null;
  userId: string;
}

export function openProfile(anchor: HTMLElement, who: Who): void {
  openOver((close) => <ProfileCard {...who} anchor={anchor} onClose={close} />);
}

/** The props of a button that is a person's name: a click opens their card, a right click or Shift+F10 their menu. */
export function personButton(who: Who, name: string) {
  return {
    type: "button",
    "aria-haspopup": "dialog",
    onClick: ({ currentTarget }: MouseEvent<HTMLElement>) => openProfile(currentTarget, who),
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      const { currentTarget, nativeEvent } = event;
      // A long press on a message opens the sheet of the message.
      const isTouch = (nativeEvent as PointerEvent).pointerType === "touch";
      if (isTouch && currentTarget.closest("article")) return;
      event.preventDefault();
      event.stopPropagation();
      const menu = { ...who, name, anchor: currentTarget, onProfile: () => openProfile(currentTarget, who) };
      openOver((close) => <PersonMenu {...menu} onClose={close} />);
    },
  } as const;
}
