// English words of the first view of the house. Other parts of the catalogue: first.en.ts, rest.en.ts and pages.en.ts.
import { english as accounts } from "../../features/accounts/view/words.en.ts";
import { english as channels } from "../../features/channels/view/words.en.ts";
import { english as direct } from "../../features/direct/view/words.en.ts";
import { english as uploads } from "../../features/files/view/uploads-words.en.ts";
import { english as files } from "../../features/files/view/words.en.ts";
import { english as gifs } from "../../features/gifs/view/words.en.ts";
import { english as members } from "../../features/members/view/words.en.ts";
import { english as composer } from "../../features/messages/view/composer/words.en.ts";
import { english as messages } from "../../features/messages/view/words.en.ts";
import { english as reactions } from "../../features/reactions/view/words.en.ts";
import { english as servers } from "../../features/servers/view/words.en.ts";
import { english as voice } from "../../features/voice/view/words.en.ts";
import { english as shell } from "../shell/words.en.ts";
import type { FirstWords } from "./first.en.ts";
import type { GateWords } from "./gate.en.ts";
import type { PagesWords } from "./pages.en.ts";
import type { RestWords } from "./rest.en.ts";
import type { Wide } from "./wide.ts";

export const words = {
  accounts,
  channels,
  composer,
  direct,
  files,
  gifs,
  members,
  messages,
  reactions,
  servers,
  shell,
  uploads,
  voice,
};

export type HouseWords = Wide<typeof words>;

/** The whole catalogue. */
export type Words = FirstWords & GateWords & HouseWords & RestWords & PagesWords;
