// German words of the first view of the house. Other parts of the catalogue: first.de.ts, rest.de.ts and pages.de.ts.
import { german as accounts } from "../../features/accounts/view/words.de.ts";
import { german as channels } from "../../features/channels/view/words.de.ts";
import { german as direct } from "../../features/direct/view/words.de.ts";
import { german as uploads } from "../../features/files/view/uploads-words.de.ts";
import { german as files } from "../../features/files/view/words.de.ts";
import { german as gifs } from "../../features/gifs/view/words.de.ts";
import { german as members } from "../../features/members/view/words.de.ts";
import { german as composer } from "../../features/messages/view/composer/words.de.ts";
import { german as messages } from "../../features/messages/view/words.de.ts";
import { german as reactions } from "../../features/reactions/view/words.de.ts";
import { german as servers } from "../../features/servers/view/words.de.ts";
import { german as voice } from "../../features/voice/view/words.de.ts";
import { german as shell } from "../shell/words.de.ts";
import type { HouseWords } from "./en.ts";

export const words: HouseWords = {
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
