// Opens the card of a person beside their face or name, wherever that stands.
import { later } from "../../../web/ui/later.tsx";
import { openOver } from "../../../web/ui/opened.tsx";

const ProfileCard = later(async () => (await import("./profile-card.tsx")).ProfileCard);

export interface Who {
  serverId: string;
  userId: string;
}

export function openProfile(anchor: HTMLElement, who: Who): void {
  openOver((close) => <ProfileCard {...who} anchor={anchor} onClose={close} />);
}
