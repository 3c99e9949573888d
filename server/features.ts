// The features of the house, in the order of their dependencies: one imports only those above it.
import { accounts } from "../features/accounts/handlers.ts";
import { channels } from "../features/channels/handlers.ts";
import { files } from "../features/files/handlers.ts";
import { instance } from "../features/instance/handlers.ts";
import { invites } from "../features/invites/handlers.ts";
import { members } from "../features/members/handlers.ts";
import { messages } from "../features/messages/handlers.ts";
import { presence } from "../features/presence/handlers.ts";
import { reactions } from "../features/reactions/handlers.ts";
import { roles } from "../features/roles/handlers.ts";
import { servers } from "../features/servers/handlers.ts";
import { sessions } from "../features/sessions/handlers.ts";
import { typing } from "../features/typing/handlers.ts";
import type { Feature } from "./feature.ts";

export const features: readonly Feature[] = [
  accounts,
  servers,
  roles,
  members,
  presence,
  channels,
  typing,
  files,
  messages,
  reactions,
  invites,
  sessions,
  instance,
];
