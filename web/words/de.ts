// German, for everything inside. Other parts of the catalogue are in first.de.ts and pages.de.ts.
import { german as accounts } from "../../features/accounts/view/words.de.ts";
import { german as blocks } from "../../features/blocks/view/words.de.ts";
import { german as channels } from "../../features/channels/view/words.de.ts";
import { german as botCommands } from "../../features/commands/view/settings-words.de.ts";
import { german as commands } from "../../features/commands/view/words.de.ts";
import { german as uploads } from "../../features/files/view/uploads-words.de.ts";
import { german as files } from "../../features/files/view/words.de.ts";
import { german as gifs } from "../../features/gifs/view/words.de.ts";
import { german as inviteSettings } from "../../features/invites/view/settings-words.de.ts";
import { german as invites } from "../../features/invites/view/words.de.ts";
import { german as memberSettings } from "../../features/members/view/settings-words.de.ts";
import { german as members } from "../../features/members/view/words.de.ts";
import { german as composer } from "../../features/messages/view/composer-words.de.ts";
import { german as reader } from "../../features/messages/view/reader/words.de.ts";
import { german as messages } from "../../features/messages/view/words.de.ts";
import { german as notifications } from "../../features/notifications/view/words.de.ts";
import { german as presence } from "../../features/presence/view/words.de.ts";
import { german as push } from "../../features/push/view/words.de.ts";
import { german as reactions } from "../../features/reactions/view/words.de.ts";
import { german as schedule } from "../../features/schedule/view/words.de.ts";
import { german as serverSettings } from "../../features/servers/view/settings-words.de.ts";
import { german as servers } from "../../features/servers/view/words.de.ts";
import { german as typing } from "../../features/typing/view/words.de.ts";
import { german as voice } from "../../features/voice/view/words.de.ts";
import { german as shell } from "../shell/words.de.ts";
import { german as emoji } from "../ui/emoji/words.de.ts";
import type { HouseWords } from "./en.ts";

export const words: HouseWords = {
  accounts,
  blocks,
  botCommands,
  channels,
  commands,
  composer,
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
  reactions,
  reader,
  schedule,
  serverSettings,
  servers,
  shell,
  typing,
  uploads,
  voice,
};
