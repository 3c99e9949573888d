// English words of rarely opened pages: settings, the console, the first run.
import { english as profile } from "../../features/accounts/view/settings/words.en.ts";
import { english as administration } from "../../features/administration/view/words.en.ts";
import { english as availability } from "../../features/availability/view/words.en.ts";
import { english as avatars } from "../../features/avatars/view/words.en.ts";
import { english as badges } from "../../features/badges/view/words.en.ts";
import { english as blocked } from "../../features/blocks/view/settings/words.en.ts";
import { english as bots } from "../../features/bots/view/words.en.ts";
import { english as channelSettings } from "../../features/channels/view/settings/words.en.ts";
import { english as instanceSettings } from "../../features/instance/view/settings-words.en.ts";
import { english as signIn } from "../../features/passkeys/view/settings/words.en.ts";
import { english as roles } from "../../features/roles/view/words.en.ts";
import { english as devices } from "../../features/sessions/view/settings/words.en.ts";
import { english as storage } from "../../features/storage/view/words.en.ts";
import { english as webhooks } from "../../features/webhooks/view/words.en.ts";
import { english as settings } from "../settings/words.en.ts";
import { english as setup } from "../setup/words.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
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

export type PagesWords = Wide<typeof words>;
