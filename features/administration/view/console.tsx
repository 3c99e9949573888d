// The console of the owner and the admins of the instance.
import { Activity, Award, DoorOpen, HardDrive, Server, Users } from "lucide-react";
import type { ReactNode } from "react";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { SettingsFrame, SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { BadgesPage } from "../../badges/view/badges-page.tsx";
import { useInstance } from "../../instance/view/instance.ts";
import { SettingsOfInstance } from "../../instance/view/settings-page.tsx";
import { StoragePage } from "../../storage/view/storage-page.tsx";
import { HealthPage } from "./health-page.tsx";
import { PeoplePage } from "./people-page.tsx";
import { ServersPage } from "./servers-page.tsx";

const first = "health";

const pages: Readonly<Record<string, () => ReactNode>> = {
  [first]: HealthPage,
  people: PeoplePage,
  servers: ServersPage,
  storage: StoragePage,
  badges: BadgesPage,
  settings: SettingsOfInstance,
};

interface Props {
  page?: string | undefined;
  /** Shown to everybody else. */
  otherwise: ReactNode;
}

export default function Console({ page = first, otherwise }: Props) {
  const isAdmin = useCopy(({ user }) => user.instance_role !== "member");
  const { administration, badges, instanceSettings, shell, storage } = useWords();
  const name = useInstance()?.name ?? administration.console;
  if (!isAdmin) return otherwise;
  const Page = pages[page];
  const entry = (path: string, label: string, icon: typeof Activity) => ({
    path: paths.admin(path),
    label,
    icon,
  });
  const groups = [
    {
      name: administration.groups.instance,
      pages: [
        entry(first, administration.health, Activity),
        entry("people", administration.people, Users),
        entry("servers", administration.servers, Server),
        entry("storage", storage.storage, HardDrive),
        entry("badges", badges.badges, Award),
      ],
    },
    {
      name: administration.groups.doors,
      pages: [entry("settings", instanceSettings.title, DoorOpen)],
    },
  ];
  return (
    <SettingsFrame title={name} backTo={{ path: "/", label: administration.back }} groups={groups}>
      {Page ? (
        <Page />
      ) : (
        <SettingsPage title={shell.nothingHere} lead={shell.nothingHereLead}>
          {null}
        </SettingsPage>
      )}
    </SettingsFrame>
  );
}
