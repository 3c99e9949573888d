// Opens the card of a person beside their avatar or name, anywhere on the page.
import { laterWithKeys } from "../../../web/ui/loading/later.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";

const ProfileCard = laterWithKeys(async () => (await import("./profile-card.tsx")).ProfileCard);

interface Who {
  serverId: string | null;
  userId: string;
}

export function openProfile(anchor: HTMLElement, who: Who): void {
  openOver((close) => <ProfileCard {...who} anchor={anchor} onClose={close} />);
}
