// The loss of the connection: for a while, or for good.
import { useEffect, useState } from "react";
import { announce } from "../browser/announce.ts";
import { useWords } from "../words/words.ts";
import { useChat } from "./house.tsx";

/** How long a connection may be lost before the page says so, in milliseconds. */
const graceMs = 5000;

/** Returns why the connection ended for good, unless signing in helps: for example, Hearth is open in too many tabs. */
export function useEnded(): string | undefined {
  const { shell: words } = useWords();
  const why = useChat(({ connection }) => (connection.is === "ended" ? connection.why : undefined));
  const sentence = why === "replaced" || why === "not understood" ? words.ended[why] : undefined;
  useEffect(() => {
    if (sentence) announce(sentence);
  }, [sentence]);
  return sentence;
}

/** True if the connection has been lost for longer than `graceMs`. */
export function useAway(): boolean {
  const isLive = useChat(({ connection }) => connection.is === "live" || connection.is === "ended");
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    setAway(false);
    if (isLive) return;
    const timer = setTimeout(() => setAway(true), graceMs);
    return () => clearTimeout(timer);
  }, [isLive]);
  return isAway && !isLive;
}
