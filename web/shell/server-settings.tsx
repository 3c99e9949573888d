// The settings of a server: the pages that the reader may use, and the one in the address.
import { Ban, Bot, CalendarDays, House, Link2, type LucideIcon, Shield, Users, Webhook } from "lucide-react";
import { type ComponentType, useRef } from "react";
import { Redirect } from "wouter";
import type { OwnServer } from "../../client/servers.ts";
import { botPicture } from "../../features/bots/view/slots.ts";
import { useTitle } from "../../features/instance/view/title.ts";
import { serverPicture } from "../../features/servers/view/settings-slots.ts";
import { permission } from "../../protocol/permissions.ts";
import { lazily } from "../ui/browser/lazily.ts";
import { Entry } from "../ui/controls/entry.tsx";
import { fill } from "../ui/loading/slots.ts";
import { isHeld } from "../ui/navigation/leaving.ts";
import { paths } from "../ui/navigation/paths.ts";
import { useServer } from "../ui/session/house.tsx";
import { SettingsFrame, type SettingsGroup, SettingsPage } from "../ui/settings/settings-frame.tsx";
import { useWords } from "../ui/words/words.ts";
import { Frame } from "./frame.tsx";
import { addressOf } from "./places.ts";

interface Page {
  id: string;
  group: "server" | "content" | "record";
  icon: LucideIcon;
  /** Any of these permissions opens the page; 0 opens it to all members. */
  rights: number;
  view: ComponentType<{ server: OwnServer }>;
}

const { KICK_MEMBERS, BAN_MEMBERS, MANAGE_SERVER, MANAGE_CHANNELS } = permission;

fill(
  serverPicture,
  lazily(async () => (await import("../../features/avatars/view/server-picture.tsx")).ServerPicture),
);
fill(
  botPicture,
  lazily(async () => (await import("../../features/avatars/view/bot-picture.tsx")).BotPicture),
);

const members = () => import("../../features/members/view/settings-pages.tsx");

const pages: readonly Page[] = [
  {
    id: "overview",
    group: "server",
    icon: House,
    rights: 0,
    view: lazily(async () => (await members()).OverviewPage),
  },
  {
    id: "roles",
    group: "server",
    icon: Shield,
    rights: MANAGE_SERVER,
    view: lazily(async () => (await members()).RolesPage),
  },
  {
    id: "members",
    group: "server",
    icon: Users,
    rights: MANAGE_SERVER | KICK_MEMBERS | BAN_MEMBERS,
    view: lazily(
      async () => (await import("../../features/members/view/settings-members.tsx")).SettingsMembers,
    ),
  },
  {
    id: "invites",
    group: "server",
    icon: Link2,
    rights: MANAGE_SERVER,
    view: lazily(
      async () => (await import("../../features/invites/view/settings-invites.tsx")).SettingsInvites,
    ),
  },
  {
    id: "bans",
    group: "server",
    icon: Ban,
    rights: BAN_MEMBERS,
    view: lazily(async () => (await import("../../features/members/view/settings-bans.tsx")).SettingsBans),
  },
  {
    id: "webhooks",
    group: "content",
    icon: Webhook,
    rights: MANAGE_CHANNELS,
    view: lazily(
      async () => (await import("../../features/webhooks/view/settings-webhooks.tsx")).SettingsWebhooks,
    ),
  },
  {
    id: "bots",
    group: "content",
    icon: Bot,
    rights: 0,
    view: lazily(async () => (await import("../../features/bots/view/settings-bots.tsx")).SettingsBots),
  },
  {
    id: "events",
    group: "record",
    icon: CalendarDays,
    rights: 0,
    view: lazily(
      async () => (await import("../../features/schedule/view/settings-events.tsx")).SettingsEvents,
    ),
  },
];

export default function ServerSettings({ serverId, page }: { serverId: string; page?: string }) {
  const server = useServer(serverId);
  const wasThere = useRef(false);
  if (server) wasThere.current = true;
  // The reader has left the server or was removed, or it was deleted.
  else if (wasThere.current) return <Redirect to="/" replace />;
  else return <Frame isNowhere />;
  return <OfServer server={server} pageId={page ?? "overview"} />;
}

function OfServer({ server, pageId }: { server: OwnServer; pageId: string }) {
  const { serverSettings: words } = useWords();
  const open = pages.filter(({ rights }) => rights === 0 || (server.permissions & rights) !== 0);
  const page = usePage(open, pageId);
  const View = page?.view;
  const labels = useLabels();
  useTitle(labels[pageId] ?? words.title, server.name);
  return (
    <SettingsFrame
      title={words.title}
      backTo={{ path: addressOf(server), label: words.backTo(server.name) }}
      groups={useGroups(server, open)}
    >
      {View ? <View server={server} /> : <NotOpen pageId={pageId} />}
    </SettingsFrame>
  );
}

/** Keeps a page with unsaved changes open after the reader has lost access to it: saving then says why it fails. */
function usePage(open: readonly Page[], pageId: string): Page | undefined {
  const isIt = ({ id }: Page) => id === pageId;
  const last = useRef<Page>(undefined);
  const stays = last.current?.id === pageId && isHeld() ? last.current : undefined;
  last.current = open.find(isIt) ?? stays;
  return last.current;
}

function useGroups(server: OwnServer, open: readonly Page[]): SettingsGroup[] {
  const labels = useLabels();
  const { serverSettings: words } = useWords();
  const groups = [
    ["server", server.name],
    ["content", words.content],
    ["record", words.record],
  ] as const;
  return groups
    .map(([group, name]) => ({
      name,
      pages: open
        .filter((page) => page.group === group)
        .map(({ id, icon }) => ({
          path: paths.serverSettings(server.id, id),
          label: labels[id] ?? id,
          icon,
        })),
    }))
    .filter(({ pages }) => pages.length > 0);
}

/** Returns the names that the features have for their pages. */
function useLabels(): Readonly<Record<string, string>> {
  const { serverSettings, roles, memberSettings, inviteSettings, webhooks, bots, schedule } = useWords();
  return {
    overview: serverSettings.overview,
    roles: roles.title,
    members: memberSettings.members,
    invites: inviteSettings.title,
    bans: memberSettings.bans,
    webhooks: webhooks.title,
    bots: bots.title,
    events: schedule.events,
  };
}

/** Shown for a page that does not exist, or that the reader may not open. */
function NotOpen({ pageId }: { pageId: string }) {
  const { serverSettings: words, shell } = useWords();
  const labels = useLabels();
  const label = labels[pageId];
  return (
    <SettingsPage title={label ?? shell.nothingHere} lead={label ? words.notYours : shell.nothingHereLead}>
      {label && (
        <Entry>
          <p>{words.whoCan}</p>
        </Entry>
      )}
    </SettingsPage>
  );
}
