// English words of the parts that are loaded after the first message: dialogs, menus, pickers.
import { english as blocks } from "../../features/blocks/view/words.en.ts";
import { english as botCommands } from "../../features/commands/view/settings-words.en.ts";
import { english as commands } from "../../features/commands/view/words.en.ts";
import { english as inviteSettings } from "../../features/invites/view/settings-words.en.ts";
import { english as invites } from "../../features/invites/view/words.en.ts";
import { english as memberSettings } from "../../features/members/view/settings-words.en.ts";
import { english as corrections } from "../../features/messages/view/drafting/correction-words.en.ts";
import { english as reader } from "../../features/messages/view/reader/words.en.ts";
import { english as notifications } from "../../features/notifications/view/words.en.ts";
import { english as push } from "../../features/push/view/words.en.ts";
import { english as schedule } from "../../features/schedule/view/words.en.ts";
import { english as serverSettings } from "../../features/servers/view/settings-words.en.ts";
import { english as emoji } from "../ui/emoji/words.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  blocks,
  botCommands,
  commands,
  corrections,
  emoji,
  inviteSettings,
  invites,
  memberSettings,
  notifications,
  push,
  reader,
  schedule,
  serverSettings,
};

export type RestWords = Wide<typeof words>;
