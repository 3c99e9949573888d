// German words of the parts that are loaded after the first message: dialogs, menus, pickers.
import { german as blocks } from "../../features/blocks/view/words.de.ts";
import { german as botCommands } from "../../features/commands/view/settings-words.de.ts";
import { german as commands } from "../../features/commands/view/words.de.ts";
import { german as inviteSettings } from "../../features/invites/view/settings-words.de.ts";
import { german as invites } from "../../features/invites/view/words.de.ts";
import { german as memberSettings } from "../../features/members/view/settings-words.de.ts";
import { german as corrections } from "../../features/messages/view/drafting/correction-words.de.ts";
import { german as reader } from "../../features/messages/view/reader/words.de.ts";
import { german as notifications } from "../../features/notifications/view/words.de.ts";
import { german as push } from "../../features/push/view/words.de.ts";
import { german as schedule } from "../../features/schedule/view/words.de.ts";
import { german as serverSettings } from "../../features/servers/view/settings-words.de.ts";
import { german as emoji } from "../ui/emoji/words.de.ts";
import type { RestWords } from "./rest.en.ts";

export const words: RestWords = {
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
