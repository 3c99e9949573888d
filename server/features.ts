// The features, in the order of their dependencies: each imports only those above it.
import { accounts } from "../features/accounts/handlers.ts";
import { administration } from "../features/administration/handlers.ts";
import { availability } from "../features/availability/handlers.ts";
import { avatars } from "../features/avatars/handlers.ts";
import { backups } from "../features/backups/handlers.ts";
import { badges } from "../features/badges/handlers.ts";
import { blocks } from "../features/blocks/handlers.ts";
import { bots } from "../features/bots/handlers.ts";
import { channels } from "../features/channels/handlers.ts";
import { commands } from "../features/commands/handlers.ts";
import { direct } from "../features/direct/handlers.ts";
import { files } from "../features/files/handlers.ts";
import { gifs } from "../features/gifs/handlers.ts";
import { instance } from "../features/instance/handlers.ts";
import { invites } from "../features/invites/handlers.ts";
import { members } from "../features/members/handlers.ts";
import { messages } from "../features/messages/handlers.ts";
import { notifications } from "../features/notifications/handlers.ts";
import { passkeys } from "../features/passkeys/handlers.ts";
import { passwordResets } from "../features/password-resets/handlers.ts";
import { pictures } from "../features/pictures/handlers.ts";
import { presence } from "../features/presence/handlers.ts";
import { push } from "../features/push/handlers.ts";
import { reactions } from "../features/reactions/handlers.ts";
import { readStates } from "../features/read-states/handlers.ts";
import { ringing } from "../features/ringing/handlers.ts";
import { roles } from "../features/roles/handlers.ts";
import { schedule } from "../features/schedule/handlers.ts";
import { serverOrder } from "../features/server-order/handlers.ts";
import { servers } from "../features/servers/handlers.ts";
import { sessions } from "../features/sessions/handlers.ts";
import { storage } from "../features/storage/handlers.ts";
import { typing } from "../features/typing/handlers.ts";
import { voice } from "../features/voice/handlers.ts";
import { webhooks } from "../features/webhooks/handlers.ts";
import type { Feature } from "./house/feature.ts";

export const features: readonly Feature[] = [
  accounts,
  instance,
  storage,
  backups,
  badges,
  servers,
  roles,
  members,
  serverOrder,
  blocks,
  presence,
  availability,
  channels,
  typing,
  files,
  gifs,
  pictures,
  messages,
  direct,
  readStates,
  notifications,
  reactions,
  webhooks,
  schedule,
  invites,
  bots,
  avatars,
  commands,
  sessions,
  push,
  voice,
  ringing,
  passkeys,
  passwordResets,
  administration,
];
