// German words of the parts that are loaded after the first message: dialogs, menus, pickers.
import { german as blocks } from "../../features/blocks/view/words.de.ts";
import { german as channels } from "../../features/channels/view/later-words.de.ts";
import { german as botCommands } from "../../features/commands/view/settings-words.de.ts";
import { german as commands } from "../../features/commands/view/words.de.ts";
import { german as direct } from "../../features/direct/view/later-words.de.ts";
import { german as files } from "../../features/files/view/later-words.de.ts";
import { german as gifs } from "../../features/gifs/view/later-words.de.ts";
import { german as inviteSettings } from "../../features/invites/view/settings-words.de.ts";
import { german as invites } from "../../features/invites/view/words.de.ts";
import { german as members } from "../../features/members/view/later-words.de.ts";
import { german as memberSettings } from "../../features/members/view/settings-words.de.ts";
import { german as composer } from "../../features/messages/view/composer/later-words.de.ts";
import { german as corrections } from "../../features/messages/view/drafting/correction-words.de.ts";
import { german as messages } from "../../features/messages/view/later-words.de.ts";
import { german as reader } from "../../features/messages/view/reader/words.de.ts";
import { german as notifications } from "../../features/notifications/view/words.de.ts";
import { german as presence } from "../../features/presence/view/words.de.ts";
import { german as push } from "../../features/push/view/words.de.ts";
import { german as ringing } from "../../features/ringing/view/words.de.ts";
import { german as schedule } from "../../features/schedule/view/words.de.ts";
import { german as serverOrder } from "../../features/server-order/view/words.de.ts";
import { german as servers } from "../../features/servers/view/later-words.de.ts";
import { german as serverSettings } from "../../features/servers/view/settings-words.de.ts";
import { german as typing } from "../../features/typing/view/words.de.ts";
import { german as voice } from "../../features/voice/view/later-words.de.ts";
import { german as shell } from "../shell/later-words.de.ts";
import { german as emoji } from "../ui/emoji/words.de.ts";
import type { RestWords } from "./rest.en.ts";

export const words: RestWords = {
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
