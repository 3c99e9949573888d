// The settings of a channel: its pages, and the one in the address.
import { House, type LucideIcon, Shield, Webhook } from "lucide-react";
import { type ComponentType, useRef } from "react";
import { Redirect } from "wouter";
import type { OwnServer } from "../../client/servers.ts";
import type { OwnChannel } from "../../features/channels/state.ts";
import { mayManage } from "../../features/channels/view/creating.ts";
import { signed } from "../../features/channels/view/signed.ts";
import { useTitle } from "../../features/instance/view/title.ts";
import { lazily } from "../ui/browser/lazily.ts";
import { isHeld } from "../ui/navigation/leaving.ts";
import { paths } from "../ui/navigation/paths.ts";
import { useServer } from "../ui/session/house.tsx";
import { SettingsFrame, SettingsPage } from "../ui/settings/settings-frame.tsx";
import { useWords } from "../ui/words/words.ts";
import { Frame } from "./frame.tsx";

interface PageProps {
  server: OwnServer;
  channel: OwnChannel;
}

interface Page {
  id: "overview" | "permissions" | "webhooks";
  icon: LucideIcon;
  view: ComponentType<PageProps>;
}

const pages: readonly Page[] = [
  {
    id: "overview",
    icon: House,
    view: lazily(
      async () => (await import("../../features/channels/view/settings/overview-page.tsx")).OverviewPage,
    ),
  },
  {
    id: "permissions",
    icon: Shield,
    view: lazily(
      async () =>
        (await import("../../features/channels/view/settings/permissions-page.tsx")).PermissionsPage,
    ),
  },
  {
    id: "webhooks",
    icon: Webhook,
    view: lazily(
      async () => (await import("../../features/webhooks/view/settings-webhooks.tsx")).ChannelWebhooks,
    ),
  },
];

interface Props {
  serverId: string;
  channelId: string;
  page?: string;
}

export default function ChannelSettings({ serverId, channelId, page = "overview" }: Props) {
  const server = useServer(serverId);
  const channel = server?.channels.get(channelId);
  const wasThere = useRef(false);
  if (server && channel) {
    wasThere.current = true;
    return <OfChannel server={server} channel={channel} pageId={page} />;
  }
  // The channel was deleted, or the reader does not see it any more.
  if (wasThere.current) return <Redirect to={server ? paths.server(serverId) : "/"} replace />;
  return <Frame isNowhere />;
}

function OfChannel({ server, channel, pageId }: PageProps & { pageId: string }) {
  const { channelSettings: words, shell } = useWords();
  const wasOpen = useRef(false);
  // A page with unsaved changes stays when its reader loses the right: saving then says why it fails.
  wasOpen.current = mayManage(channel) || (wasOpen.current && isHeld());
  const View = pages.find(({ id }) => id === pageId)?.view;
  const label = pages.find(({ id }) => id === pageId)?.id;
  useTitle(label ? words[label] : words.title, channel.name);
  return (
    <SettingsFrame
      title={words.title}
      backTo={{ path: paths.channel(channel), label: words.backTo(signed(channel)) }}
      groups={[
        {
          name: channel.name,
          pages: pages.map(({ id, icon }) => ({
            path: paths.channelSettings(channel, id),
            label: words[id],
            icon,
          })),
        },
      ]}
    >
      {wasOpen.current && View ? (
        <View server={server} channel={channel} />
      ) : (
        <SettingsPage
          title={label ? words[label] : shell.nothingHere}
          lead={label ? words.notYours : shell.nothingHereLead}
        >
          {null}
        </SettingsPage>
      )}
    </SettingsFrame>
  );
}
