// English words of the parts that are loaded after the first message: dialogs, menus, pickers.
import { english as blocks } from "../../features/blocks/view/words.en.ts";
import { english as channels } from "../../features/channels/view/later-words.en.ts";
import { english as botCommands } from "../../features/commands/view/settings-words.en.ts";
import { english as commands } from "../../features/commands/view/words.en.ts";
import { english as direct } from "../../features/direct/view/later-words.en.ts";
import { english as files } from "../../features/files/view/later-words.en.ts";
import { english as gifs } from "../../features/gifs/view/later-words.en.ts";
import { english as inviteSettings } from "../../features/invites/view/settings-words.en.ts";
import { english as invites } from "../../features/invites/view/words.en.ts";
import { english as members } from "../../features/members/view/later-words.en.ts";
import { english as memberSettings } from "../../features/members/view/settings-words.en.ts";
import { english as composer } from "../../features/messages/view/composer/later-words.en.ts";
import { english as corrections } from "../../features/messages/view/drafting/correction-words.en.ts";
import { english as messages } from "../../features/messages/view/later-words.en.ts";
import { english as reader } from "../../features/messages/view/reader/words.en.ts";
import { english as notifications } from "../../features/notifications/view/words.en.ts";
import { english as presence } from "../../features/presence/view/words.en.ts";
import { english as push } from "../../features/push/view/words.en.ts";
import { english as ringing } from "../../features/ringing/view/words.en.ts";
import { english as schedule } from "../../features/schedule/view/words.en.ts";
import { english as serverOrder } from "../../features/server-order/view/words.en.ts";
import { english as servers } from "../../features/servers/view/later-words.en.ts";
import { english as serverSettings } from "../../features/servers/view/settings-words.en.ts";
import { english as typing } from "../../features/typing/view/words.en.ts";
import { english as voice } from "../../features/voice/view/later-words.en.ts";
import { english as shell } from "../shell/later-words.en.ts";
import { english as emoji } from "../ui/emoji/words.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  blocks,
  botCommands,
  channels,
  commands,
  composer,
  corrections,
  direct,
  emoji,
  files,
  gifs,
  inviteSettings,
  invites,
  memberSettings,
  members,
  messages,
  notifications,
  presence,
  push,
  reader,
  ringing,
  schedule,
  serverSettings,
  serverOrder,
  servers,
  shell,
  typing,
  voice,
};

export type RestWords = Wide<typeof words>;
