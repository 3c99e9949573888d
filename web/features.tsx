// Fills the slots: later features add parts to the views of earlier ones.
import { aboveYou } from "../features/accounts/view/slots.ts";
import { belowBot } from "../features/bots/view/slots.ts";
import { besideChannel, inRoomHead, voiceRoom } from "../features/channels/view/slots.ts";
import { DirectTab } from "../features/direct/view/direct-tab.tsx";
import { cardActions, onCard } from "../features/members/view/slots.ts";
import { moreSuggestions } from "../features/messages/view/composer/slots.ts";
import { beforeActions, belowMessage, inEmptyRoom } from "../features/messages/view/slots.ts";
import { Reactions } from "../features/reactions/view/reactions.tsx";
import { afterServers, beforeServers } from "../features/servers/view/slots.ts";
import { CallBar } from "../features/voice/view/call-bar.tsx";
import { CallWatch } from "../features/voice/view/call-watching.ts";
import { JoinButton } from "../features/voice/view/join-button.tsx";
import { VoiceRoom } from "../features/voice/view/voice-room.tsx";
import { later, unhurried } from "./ui/loading/later.tsx";
import { alongSettings, always, fill } from "./ui/loading/slots.ts";
import { prepareMenus } from "./ui/overlays/menu.tsx";
import { withWords } from "./ui/words/words.ts";

const AllServers = unhurried(
  async () => (await import("../features/server-order/view/all-servers.tsx")).AllServers,
);
const PushOffer = unhurried(async () => (await import("../features/push/view/offer.tsx")).PushOffer);
const WorkerWatch = unhurried(
  async () => (await import("../features/push/view/worker-watch.tsx")).WorkerWatch,
);
const CorrectionWatch = unhurried(
  async () => (await import("../features/messages/view/drafting/correction-watch.ts")).CorrectionWatch,
);
const FirstSteps = later(async () => (await import("../features/invites/view/first-steps.tsx")).FirstSteps);
const QuickEmoji = later(async () => (await import("../features/reactions/view/quick-emoji.tsx")).QuickEmoji);
const CallChip = unhurried(async () => (await import("../features/voice/view/call-chip.tsx")).CallChip);
const RingingWatch = unhurried(
  async () => (await import("../features/ringing/view/ringing-watch.tsx")).RingingWatch,
);
const Sounds = unhurried(async () => (await import("../features/notifications/view/sound.ts")).Sounds);
const Reachable = later(async () => (await import("../features/availability/view/reachable.tsx")).Reachable);
const CallPerson = later(async () => (await import("../features/ringing/view/call-person.tsx")).CallPerson);
const CommandSuggestions = later(
  async () => (await import("../features/commands/view/command-suggestions.tsx")).CommandSuggestions,
);
const MissingConversations = unhurried(
  async () => (await import("../features/direct/view/missing.ts")).MissingConversations,
);
const MessageButton = later(
  async () => (await import("../features/direct/view/message-button.tsx")).MessageButton,
);

let isFilled = false;

/** Called before anything of the house is rendered; only the first call has an effect. */
export function fillSlots(): void {
  if (isFilled) return;
  isFilled = true;
  fill(onCard, Reachable);
  fill(beforeServers, DirectTab);
  fill(afterServers, AllServers);
  fill(cardActions, MessageButton);
  fill(cardActions, CallPerson);
  fill(belowMessage, Reactions);
  fill(inEmptyRoom, FirstSteps);
  fill(beforeActions, QuickEmoji);
  prepareMenus(async () => (await withWords("gate", import("./menus.ts"))).fillMenus());
  fill(
    belowBot,
    later(async () => (await import("../features/commands/view/bot-commands.tsx")).BotCommands),
  );
  fill(moreSuggestions, CommandSuggestions);
  fill(always, Sounds);
  fill(always, PushOffer);
  fill(always, WorkerWatch);
  fill(always, CorrectionWatch);
  fill(always, MissingConversations);
  fill(aboveYou, CallBar);
  fill(alongSettings, CallBar);
  fill(besideChannel, JoinButton);
  fill(voiceRoom, VoiceRoom);
  fill(inRoomHead, CallChip);
  fill(always, RingingWatch);
  fill(always, CallWatch);
}
