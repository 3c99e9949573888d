// Runs in each engine: the cost of parsing hostile messages, compared with ordinary text of the same length.
import { parse } from "../../features/messages/text/parse.ts";
import { isOnlyEmoji } from "../../protocol/emoji-text.ts";
import { hostileNames, hostileTexts } from "../../tools/hostile-texts.ts";

const length = 4000;
const names = { ...hostileNames(), everyone: true };
const ordinary =
  "We meet at **seven** in the kitchen, and @ann brings the _bread_: see https://a.example/bread for how much. ";
const tries = 2;
/** Tries of a suspicious text, enough for the engine's garbage collector and compiler threads to finish. */
const triesAgain = 40;
/** A text that costs this many times as much as a plain one is measured again. */
const suspicious = 4;
/** A prime, so that texts of all kinds are parsed even if the time is too short for all texts. */
const stride = 7919;

const [mixtures = 0, mostMs = 0] = process.argv.slice(2).map(Number);

/** Returns the cheapest of `times` tries, in microseconds of processor time. */
function costOf(text: string, times: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const before = process.cpuUsage();
    isOnlyEmoji(text);
    parse(text, names);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

const plain = ordinary.repeat(Math.ceil(length / ordinary.length)).slice(0, length);
costOf(plain, 500);
const ordinaryUs = costOf(plain, 200);
const start = performance.now();
let worst = { text: "", us: 0 };
let read = 0;
const texts = [...hostileTexts(length, { mixtures })];
for (; read < texts.length && performance.now() - start < mostMs; read++) {
  const text = texts[(read * stride) % texts.length] ?? "";
  let us = costOf(text, tries);
  if (us > suspicious * ordinaryUs) us = Math.min(us, costOf(text, triesAgain));
  if (us > worst.us) worst = { text, us };
}
console.log(JSON.stringify({ ordinaryUs, read, worst }));
