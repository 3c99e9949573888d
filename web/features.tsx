// The list of what later features put into the views of earlier ones.
import { aboveYou, youMenu } from "../features/accounts/view/slots.ts";
import { useConsoleItem } from "../features/administration/view/console-menu.ts";
import { Reachable } from "../features/availability/view/reachable.tsx";
import { BlockButton } from "../features/blocks/view/blocks.tsx";
import { belowBot } from "../features/bots/view/slots.ts";
import { useCreateItem } from "../features/channels/view/channel-items.ts";
import { besideChannel, channelMenu, voiceRoom } from "../features/channels/view/slots.ts";
import { CommandSuggestions } from "../features/commands/view/command-suggestions.tsx";
import { useInviteItems } from "../features/invites/view/invite-menu.tsx";
import { useLeavingItems } from "../features/members/view/leaving-menu.tsx";
import { cardActions, onCard } from "../features/members/view/slots.ts";
import { addVerb } from "../features/messages/view/actions/verbs.ts";
import { moreSuggestions } from "../features/messages/view/composer-slots.ts";
import { beforeActions, belowMessage, inEmptyRoom } from "../features/messages/view/slots.ts";
import { useNotificationItems } from "../features/notifications/view/notification-menu.tsx";
import { useStatusItem } from "../features/presence/view/status-item.tsx";
import { react } from "../features/reactions/view/react.ts";
import { Reactions } from "../features/reactions/view/reactions.tsx";
import { markUnread } from "../features/read-states/view/mark-unread.ts";
import { useEventItems } from "../features/schedule/view/events-menu.tsx";
import { useSettingsItems } from "../features/servers/view/settings-menu.ts";
import { serverMenu } from "../features/servers/view/slots.ts";
import { useSignOutItem } from "../features/sessions/view/sign-out-item.tsx";
import { CallBar } from "../features/voice/view/call-bar.tsx";
import { CallWatch } from "../features/voice/view/call-watch.tsx";
import { JoinButton } from "../features/voice/view/join-button.tsx";
import { VoiceRoom } from "../features/voice/view/voice-room.tsx";
import { later, unhurried } from "./ui/later.tsx";
import { lazily } from "./ui/lazily.ts";
import { fillMenu } from "./ui/menu-slots.ts";
import { alongSettings, always, fill } from "./ui/slots.ts";

const PushOffer = unhurried(async () => (await import("../features/push/view/offer.tsx")).PushOffer);
const WorkerWatch = unhurried(
  async () => (await import("../features/push/view/worker-watch.tsx")).WorkerWatch,
);
const FirstSteps = later(async () => (await import("../features/invites/view/first-steps.tsx")).FirstSteps);
const QuickEmoji = later(async () => (await import("../features/reactions/view/quick-emoji.tsx")).QuickEmoji);
const Sounds = unhurried(async () => (await import("../features/notifications/view/sound.ts")).Sounds);
let isFilled = false;

/** Before anything of the house is drawn; once. */
export function fillSlots(): void {
  if (isFilled) return;
  isFilled = true;
  fill(onCard, Reachable);
  fill(cardActions, BlockButton);
  fill(belowMessage, Reactions);
  fill(inEmptyRoom, FirstSteps);
  fill(beforeActions, QuickEmoji);
  addVerb(react, "reply");
  addVerb(markUnread);
  fill(
    belowBot,
    lazily(() => import("../features/commands/view/bot-commands.tsx")),
  );
  fillMenu(serverMenu, useInviteItems);
  fillMenu(serverMenu, useCreateItem);
  fillMenu(serverMenu, useEventItems);
  fillMenu(serverMenu, useSettingsItems);
  fillMenu(serverMenu, useLeavingItems);
  fillMenu(youMenu, useStatusItem);
  fill(moreSuggestions, CommandSuggestions);
  fillMenu(youMenu, useSignOutItem);
  fillMenu(serverMenu, useNotificationItems);
  fillMenu(channelMenu, useNotificationItems);
  fill(always, Sounds);
  fill(always, PushOffer);
  fill(always, WorkerWatch);
  fill(aboveYou, CallBar);
  fill(alongSettings, CallBar);
  fill(besideChannel, JoinButton);
  fill(voiceRoom, VoiceRoom);
  fillMenu(youMenu, useConsoleItem);
  fill(always, CallWatch);
}
