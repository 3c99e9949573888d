// English, for everything inside. Other parts of the catalogue are in first.en.ts and pages.en.ts.
import { english as accounts } from "../../features/accounts/view/words.en.ts";
import { english as blocks } from "../../features/blocks/view/words.en.ts";
import { english as channels } from "../../features/channels/view/words.en.ts";
import { english as botCommands } from "../../features/commands/view/settings-words.en.ts";
import { english as commands } from "../../features/commands/view/words.en.ts";
import { english as uploads } from "../../features/files/view/uploads-words.en.ts";
import { english as files } from "../../features/files/view/words.en.ts";
import { english as gifs } from "../../features/gifs/view/words.en.ts";
import { english as inviteSettings } from "../../features/invites/view/settings-words.en.ts";
import { english as invites } from "../../features/invites/view/words.en.ts";
import { english as memberSettings } from "../../features/members/view/settings-words.en.ts";
import { english as members } from "../../features/members/view/words.en.ts";
import { english as composer } from "../../features/messages/view/composer-words.en.ts";
import { english as reader } from "../../features/messages/view/reader/words.en.ts";
import { english as messages } from "../../features/messages/view/words.en.ts";
import { english as notifications } from "../../features/notifications/view/words.en.ts";
import { english as presence } from "../../features/presence/view/words.en.ts";
import { english as push } from "../../features/push/view/words.en.ts";
import { english as reactions } from "../../features/reactions/view/words.en.ts";
import { english as schedule } from "../../features/schedule/view/words.en.ts";
import { english as serverSettings } from "../../features/servers/view/settings-words.en.ts";
import { english as servers } from "../../features/servers/view/words.en.ts";
import { english as typing } from "../../features/typing/view/words.en.ts";
import { english as voice } from "../../features/voice/view/words.en.ts";
import { english as shell } from "../shell/words.en.ts";
import { english as emoji } from "../ui/emoji/words.en.ts";
import type { FirstWords } from "./first.en.ts";
import type { PagesWords } from "./pages.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
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

export type HouseWords = Wide<typeof words>;

/** All words there are. */
export type Words = FirstWords & HouseWords & PagesWords;
