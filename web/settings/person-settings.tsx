// The routes of /settings/….
import {
  Accessibility,
  Ban,
  Bell,
  CalendarDays,
  Keyboard,
  KeyRound,
  Languages,
  Laptop,
  Palette,
  User,
} from "lucide-react";
import { type ComponentType, useMemo } from "react";
import { useLocation } from "wouter";
import { ProfilePage } from "../../features/accounts/view/settings/profile-page.tsx";
import { profilePicture } from "../../features/accounts/view/settings/slots.ts";
import { AvailabilityPage } from "../../features/availability/view/availability-page.tsx";
import { ProfilePicture } from "../../features/avatars/view/profile-picture.tsx";
import { BlockedPage } from "../../features/blocks/view/settings/blocked-page.tsx";
import { useTitle } from "../../features/instance/view/title.ts";
import { SignInPage } from "../../features/passkeys/view/settings/sign-in-page.tsx";
import { NotificationsPage } from "../../features/push/view/notifications-page.tsx";
import { DevicesPage } from "../../features/sessions/view/settings/devices-page.tsx";
import { pagePath } from "../../protocol/page-paths.ts";
import { fill } from "../ui/loading/slots.ts";
import { paths } from "../ui/navigation/paths.ts";
import { placeBefore } from "../ui/navigation/place.ts";
import { useCopy } from "../ui/session/house.tsx";
import { SettingsFrame, type SettingsGroup, SettingsPage } from "../ui/settings/settings-frame.tsx";
import { useWords } from "../ui/words/words.ts";
import type { Words } from "../words/en.ts";
import { AccessibilityPage } from "./accessibility.tsx";
import { AppearancePage } from "./appearance.tsx";
import { KeysPage } from "./keys-page.tsx";
import { LanguagePage } from "./language.tsx";

fill(profilePicture, ProfilePicture);

type Page = SettingsGroup["pages"][number] & { view: ComponentType };

export default function PersonSettings() {
  const words = useWords();
  const [path] = useLocation();
  const groups = useMemo(() => groupsIn(words), [words]);
  const pages = groups.flatMap((group) => group.pages);
  const page = path === pagePath.settings ? pages[0] : pages.find((each) => each.path === path);
  useTitle(page?.label ?? words.shell.nothingHere);
  const View = page?.view;
  return (
    <SettingsFrame title={words.settings.title} backTo={useWayBack()} groups={groups}>
      {View ? (
        <View />
      ) : (
        <SettingsPage title={words.shell.nothingHere} lead={words.shell.nothingHereLead}>
          {null}
        </SettingsPage>
      )}
    </SettingsFrame>
  );
}

function groupsIn(words: Words): { name: string; pages: readonly Page[] }[] {
  const { settings } = words;
  const at = paths.settings;
  return [
    {
      name: settings.you,
      pages: [
        { path: at("profile"), label: words.profile.title, icon: User, view: ProfilePage },
        { path: at("sign-in"), label: words.signIn.title, icon: KeyRound, view: SignInPage },
        { path: at("devices"), label: words.devices.title, icon: Laptop, view: DevicesPage },
      ],
    },
    {
      name: settings.thisDevice,
      pages: [
        { path: at("appearance"), label: settings.appearance.title, icon: Palette, view: AppearancePage },
        {
          path: at("accessibility"),
          label: settings.accessibility.title,
          icon: Accessibility,
          view: AccessibilityPage,
        },
        { path: at("notifications"), label: words.notifications.title, icon: Bell, view: NotificationsPage },
        { path: at("keys"), label: settings.keys.title, icon: Keyboard, view: KeysPage },
        { path: at("language"), label: settings.language.title, icon: Languages, view: LanguagePage },
      ],
    },
    {
      name: settings.yours,
      pages: [
        { path: at("blocked"), label: words.blocked.title, icon: Ban, view: BlockedPage },
        {
          path: at("availability"),
          label: words.availability.title,
          icon: CalendarDays,
          view: AvailabilityPage,
        },
      ],
    },
  ];
}

function useWayBack(): { path: string; label: string } {
  const { settings: words } = useWords();
  const path = placeBefore();
  const [, serverId] = /^\/servers\/([^/]+)/.exec(path) ?? [];
  const name = useCopy((copy) => copy.servers.find(({ id }) => id === serverId)?.name);
  return { path, label: name ? words.backTo(name) : words.back };
}
