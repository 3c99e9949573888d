// Events about people who are typing.
import { kind } from "../../protocol/event.ts";

export const typingStarted = kind<{ channel_id: string; user_id: string }>("TYPING_START");
