// German words of rarely opened pages: settings, the console, the first run.
import { german as profile } from "../../features/accounts/view/settings/words.de.ts";
import { german as administration } from "../../features/administration/view/words.de.ts";
import { german as availability } from "../../features/availability/view/words.de.ts";
import { german as avatars } from "../../features/avatars/view/words.de.ts";
import { german as badges } from "../../features/badges/view/words.de.ts";
import { german as blocked } from "../../features/blocks/view/settings/words.de.ts";
import { german as bots } from "../../features/bots/view/words.de.ts";
import { german as channelSettings } from "../../features/channels/view/settings/words.de.ts";
import { german as instanceSettings } from "../../features/instance/view/settings-words.de.ts";
import { german as signIn } from "../../features/passkeys/view/settings/words.de.ts";
import { german as roles } from "../../features/roles/view/words.de.ts";
import { german as devices } from "../../features/sessions/view/settings/words.de.ts";
import { german as storage } from "../../features/storage/view/words.de.ts";
import { german as webhooks } from "../../features/webhooks/view/words.de.ts";
import { german as settings } from "../settings/words.de.ts";
import { german as setup } from "../setup/words.de.ts";
import type { PagesWords } from "./pages.en.ts";

export const words: PagesWords = {
  administration,
  availability,
  avatars,
  badges,
  blocked,
  bots,
  channelSettings,
  devices,
  instanceSettings,
  profile,
  roles,
  settings,
  setup,
  signIn,
  storage,
  webhooks,
};
