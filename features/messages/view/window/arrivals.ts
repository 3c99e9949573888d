// Announces new messages of the open channel to screen readers: a single one by its text, several as a number.
import { useEffect, useEffectEvent } from "react";
import { is } from "../../../../protocol/event.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { SharedMessage } from "../../contract.ts";
import { messageCreated } from "../../events.ts";
import { callsReader } from "../model/calls-reader.ts";

/** Messages within this time, in milliseconds, are announced together. */
const gatherMs = 1000;
/** Longer texts are not read out. */
const mostLetters = 200;

/** Renders nothing. */
export function Arrivals({ channelId }: { channelId: string }) {
  const { chat } = useHouse();
  const { messages: words } = useWords();
  // More texts may load while an announcement is waiting.
  const say = useEffectEvent((arrived: readonly SharedMessage[]) => {
    const [first] = arrived;
    const { copy } = chat.state;
    const about = copy && arrived.some((each) => callsReader(each, copy)) ? "mention" : "message";
    if (first && arrived.length === 1) {
      const text = first.content === "" ? words.file : first.content.slice(0, mostLetters);
      announce(words.said(first.author.display_name, text), about);
    } else if (arrived.length > 1) announce(words.newCount(arrived.length, false), about);
  });
  useEffect(() => {
    let arrived: SharedMessage[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sayAll = () => {
      say(arrived);
      arrived = [];
      timer = undefined;
    };
    const end = chat.listen((frame) => {
      if (!is(frame, messageCreated) || frame.data.channel_id !== channelId) return;
      const { copy } = chat.state;
      const { id } = frame.data.author;
      if (!copy || id === copy.user.id || copy.blocked.includes(id)) return;
      arrived.push(frame.data);
      timer ??= setTimeout(sayAll, gatherMs);
    });
    return () => {
      end();
      clearTimeout(timer);
    };
  }, [chat, channelId]);
  return null;
}
