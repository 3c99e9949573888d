// The notification sound, synthesized by the browser, so that no file is loaded.
import { useEffect } from "react";
import type { Copy } from "../../../client/copy.ts";
import { channelIn } from "../../../client/servers.ts";
import { is } from "../../../protocol/event.ts";
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import { sleep } from "../../../web/ui/browser/sleep.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import type { SharedMessage } from "../../messages/contract.ts";
import { messageCreated } from "../../messages/events.ts";
import { callsReader } from "../../messages/view/model/calls-reader.ts";
import { levelIn } from "./levels.ts";

export const soundKey = "sound";

/** Frequencies in hertz: a low fifth. */
const tones = [392, 587];
const toneSeconds = 0.18;
const loudest = 0.08;
/** A sound that cannot be heard within this time, in milliseconds, is not played. */
const lateMs = 1000;
/** Notifications within this time, in milliseconds, share one sound. */
const pauseMs = 2000;

let context: AudioContext | undefined;

export function playSound(): void {
  play(tones);
}

/**
 * Plays tones, given in hertz. Browsers play none before the user has interacted with the page; they are dropped then,
 * or all of them would be heard at once afterwards.
 */
export function play(frequencies: readonly number[]): void {
  context ??= new AudioContext();
  const to = context;
  const asked = performance.now();
  const start = () => {
    if (performance.now() - asked < lateMs) sound(to, frequencies);
  };
  if (to.state === "running") start();
  else void to.resume().then(start);
}

function sound(context: AudioContext, frequencies: readonly number[]): void {
  const { currentTime, destination } = context;
  frequencies.forEach((frequency, i) => {
    const begin = currentTime + i * toneSeconds * 0.6;
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0, begin);
    volume.gain.linearRampToValueAtTime(loudest, begin + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + toneSeconds);
    tone.connect(volume).connect(destination);
    tone.start(begin);
    tone.stop(begin + toneSeconds);
  });
}

/** Plays sounds for messages while the reader looks elsewhere. Mounted while somebody is signed in. */
export function Sounds(): null {
  const { chat } = useHouse();
  useEffect(() => {
    return chat.listen((frame) => {
      if (!is(frame, messageCreated) || document.hasFocus() || !kept<boolean>(soundKey)) return;
      const { copy } = chat.state;
      if (copy && isTold(copy, frame.data, Date.now())) void soundOnce(frame.data.id);
    });
  }, [chat]);
  useEffect(noteLooking, []);
  return null;
}

const looking = "hearth-looking";
const sounding = "hearth-sounding";
const soundedKey = "sounded";
const soundingKey = "sounding";
let lastAt = 0;

/** Only one of several tabs plays the sound, and none while the reader looks at another one. */
async function soundOnce(messageId: string): Promise<void> {
  // A tab that lags behind receives the message when another tab has played its sound long ago.
  if (messageId <= (kept<string>(soundedKey) ?? "")) return;
  keep(soundedKey, messageId);
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return soundAlone();
  const { held = [] } = await locks.query();
  if (held.some(({ name }) => name === looking)) return;
  await locks.request(sounding, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    playSound();
    await sleep(pauseMs);
  });
}

/** Without https pages have no locks: tabs ask each other, and the last one to start plays the sound. */
async function soundAlone(): Promise<void> {
  if (Date.now() - lastAt < pauseMs) return;
  lastAt = Date.now();
  const mine = Math.random();
  keep(soundingKey, mine);
  const isLookedAt = await isLookedAtElsewhere();
  if (!isLookedAt && [mine, undefined].includes(kept<number>(soundingKey))) playSound();
}

/** The channel through which tabs ask each other, and its two messages. */
const tabsAsk = "hearth-looking-asked";
const asked = "asked";
const looked = "looked at";
/** How long other tabs have to answer, in milliseconds. */
const answerMs = 200;

function isLookedAtElsewhere(): Promise<boolean> {
  return new Promise((resolve) => {
    const tabs = new BroadcastChannel(tabsAsk);
    const end = (isLookedAt: boolean) => {
      tabs.close();
      resolve(isLookedAt);
    };
    tabs.onmessage = ({ data }) => data === looked && end(true);
    setTimeout(() => end(false), answerMs);
    tabs.postMessage(asked);
  });
}

function answerOthers(): () => void {
  const tabs = new BroadcastChannel(tabsAsk);
  tabs.onmessage = ({ data }) => data === asked && document.hasFocus() && tabs.postMessage(looked);
  return () => tabs.close();
}

/** Holds the lock that other tabs check, while this tab has the focus. */
function noteLooking(): () => void {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return answerOthers();
  let end: (() => void) | undefined;
  const begin = () => {
    if (end) return;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    void locks.request(looking, { mode: "shared" }, () => over);
  };
  const stop = () => {
    end?.();
    end = undefined;
  };
  if (document.hasFocus()) begin();
  addEventListener("focus", begin);
  addEventListener("blur", stop);
  return () => {
    stop();
    removeEventListener("focus", begin);
    removeEventListener("blur", stop);
  };
}

/** True if the reader wants to be notified of a message. */
export function isTold(copy: Copy, message: SharedMessage, now: number): boolean {
  if (message.author.id === copy.user.id || copy.blocked.includes(message.author.id)) return false;
  const serverId = channelIn(copy, message.channel_id)?.server_id;
  if (serverId === undefined) return false;
  const level = levelIn(copy.notificationSettings, { serverId, channelId: message.channel_id }, now);
  if (level !== "mentions") return level === "all";
  return callsReader(message, copy);
}
