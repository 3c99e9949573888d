// Runs in each engine: what the reader of messages costs for texts written against it, beside ordinary text of that length.
import { parse } from "../../features/messages/text/parse.ts";
import { isOnlyEmoji } from "../../protocol/emoji-text.ts";
import { hostileNames, hostileTexts } from "../../tools/hostile-texts.ts";

const length = 4000;
const names = { ...hostileNames(), everyone: true };
const ordinary =
  "We meet at **seven** in the kitchen, and @ann brings the _bread_: see https://a.example/bread for how much. ";
const tries = 2;
/** The threads of the engine that collect and compile are counted as well: they are done after so many readings. */
const triesAgain = 40;
/** A text that costs so many times as much as a plain one is measured again. */
const suspicious = 4;
/** A prime: texts of all kinds are read even where the time does not suffice for all texts. */
const stride = 7919;

const [mixtures = 0, mostMs = 0] = process.argv.slice(2).map(Number);

/** The cheapest of so many tries, in microseconds of processor time. */
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
