// The definition of one emoji, and its normal form.
import { limits } from "./limits.ts";

const part =
  "(?:\\p{Regional_Indicator}{2}|[0-9#*]\\uFE0F?\\u20E3|\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?(?:[\\u{E0020}-\\u{E007E}]+\\u{E007F})?)";
// Each character matches in one way only: with two ways, a long row of them would be tried in every combination.
const oneEmoji = new RegExp(`^${part}(?:\\u200D${part})*$`, "u");
const named = new RegExp(`^:[A-Za-z0-9_+-]{1,${limits.emoji_bytes_max - 2}}:$`);
const needsSelector =
  /([0-9#*](?=\u20e3)|(?!\p{Emoji_Presentation})\p{Extended_Pictographic}(?!\p{Emoji_Modifier})|[\u2640\u2642](?=$|\u200d))/gu;

/**
 * Returns the emoji in its fully qualified form, or undefined when the text is not one emoji (or `:name:`) of at most
 * 64 bytes.
 */
export function normaliseEmoji(text: string): string | undefined {
  // Checked first: sorting a pile of combining marks takes quadratic time.
  if (text.length > limits.emoji_bytes_max) return undefined;
  const plain = text.normalize("NFC");
  if (named.test(plain)) return plain;
  if (!oneEmoji.test(plain.replaceAll("\ufe0e", ""))) return undefined;
  const normal = plain.replace(/[\ufe0e\ufe0f]/g, "").replace(needsSelector, "$1\ufe0f");
  return new TextEncoder().encode(normal).length <= limits.emoji_bytes_max ? normal : undefined;
}
