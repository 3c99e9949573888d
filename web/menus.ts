// Adds the items of later features to the menus and message actions of earlier ones. Loaded with the menus' own code.
import { useSettingsItem } from "../features/accounts/view/settings-item.ts";
import { youMenu } from "../features/accounts/view/slots.ts";
import { useConsoleItem } from "../features/administration/view/console-menu.ts";
import { useBlockItem } from "../features/blocks/view/block-item.ts";
import { useCategoryItems } from "../features/channels/view/category-items.ts";
import {
  useChannelItems,
  useChannelLinkItem,
  useCreateItem,
} from "../features/channels/view/channel-items.ts";
import { categoryMenu, channelMenu } from "../features/channels/view/slots.ts";
import { useWhyItem } from "../features/channels/view/why.ts";
import { useConversationItems } from "../features/direct/view/conversation-items.ts";
import { useMessageItem } from "../features/direct/view/message-item.ts";
import { conversationMenu } from "../features/direct/view/slots.ts";
import { useChannelInviteItem, useInviteItems } from "../features/invites/view/invite-menu.tsx";
import { useLeavingItems } from "../features/members/view/leaving-menu.tsx";
import { useRemovalItems } from "../features/members/view/removal-items.tsx";
import { useRolesItem } from "../features/members/view/roles-item.ts";
import { memberMenu } from "../features/members/view/slots.ts";
import { addVerb } from "../features/messages/view/actions/verbs.ts";
import { useJumpItem } from "../features/messages/view/jump/jump-item.ts";
import { useCategoryMuteItems, useMuteItems } from "../features/notifications/view/mute-items.ts";
import { useNotificationItems } from "../features/notifications/view/notification-menu.tsx";
import { useStatusItem } from "../features/presence/view/status-item.tsx";
import { react } from "../features/reactions/view/react.ts";
import { markUnread } from "../features/read-states/view/mark-unread.ts";
import {
  useCategoryReadItem,
  useChannelReadItem,
  useServerReadItem,
} from "../features/read-states/view/read-items.ts";
import { useEventItems } from "../features/schedule/view/events-menu.tsx";
import { useMoveItems } from "../features/server-order/view/move-items.ts";
import { useServerLinkItem } from "../features/servers/view/link-item.ts";
import { useSettingsItems } from "../features/servers/view/settings-menu.ts";
import { serverMenu } from "../features/servers/view/slots.ts";
import { useSignOutItem } from "../features/sessions/view/sign-out-item.tsx";
import { fillMenu } from "./ui/overlays/menu-slots.ts";

let isFilled = false;

/** Called before any menu is rendered; only the first call has an effect. */
export function fillMenus(): void {
  if (isFilled) return;
  isFilled = true;
  fillMenu(
    serverMenu,
    useServerReadItem,
    useMuteItems,
    useNotificationItems,
    useInviteItems,
    useServerLinkItem,
  );
  fillMenu(serverMenu, useEventItems);
  fillMenu(serverMenu, useCreateItem, useSettingsItems);
  fillMenu(serverMenu, useMoveItems);
  fillMenu(serverMenu, useLeavingItems);
  fillMenu(channelMenu, useChannelReadItem, useMuteItems, useNotificationItems);
  fillMenu(channelMenu, useChannelLinkItem, useJumpItem, useChannelInviteItem);
  fillMenu(channelMenu, useChannelItems);
  fillMenu(categoryMenu, useCategoryReadItem, useCategoryMuteItems);
  fillMenu(categoryMenu, useCategoryItems);
  fillMenu(conversationMenu, useMuteItems, useNotificationItems);
  fillMenu(conversationMenu, useJumpItem, useConversationItems);
  fillMenu(memberMenu, useMessageItem, useRolesItem, useWhyItem);
  fillMenu(memberMenu, useBlockItem);
  fillMenu(memberMenu, useRemovalItems);
  fillMenu(youMenu, useStatusItem, useSettingsItem, useConsoleItem);
  fillMenu(youMenu, useSignOutItem);
  addVerb(react, "reply");
  addVerb(markUnread);
}
