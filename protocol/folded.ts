// Folds names for comparison while somebody types one: the server's and the page's searches share it, so that both find
// the same names.

/**
 * Latin letters without a Unicode decomposition, and the plain ones that people type instead; the final sigma; letters
 * of Arabic keyboards and the Persian ones that look the same; and dashes and apostrophes. Such letters of other
 * alphabets (ґ, қ, ү) stand for themselves.
 */
const plain: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ..."ß:ss æ:ae œ:oe þ:th ŋ:n ĸ:k ς:σ ø:o ł:l đ:d ð:d ħ:h ŧ:t ı:i ȷ:j ɓ:b ɖ:d ɗ:d ə:e ǝ:e ɛ:e".split(" "),
    ..."ƒ:f ɨ:i ƙ:k ɲ:n ɔ:o ʉ:u ƴ:y ƶ:z ⱥ:a ƀ:b ȼ:c ƈ:c ȡ:d ɇ:e ǥ:g ɠ:g ɣ:g ɩ:i ɉ:j ꝁ:k ƚ:l ɫ:l ⱡ:l".split(
      " ",
    ),
    ..."ɱ:m ƞ:n ƥ:p ɍ:r ⱦ:t ƭ:t ʋ:v ɏ:y ي:ی ى:ی ك:ک ‐:- –:- —:- ’:' ‘:' ʻ:' ʼ:'".split(" "),
  ].map((pair) => [pair.slice(0, 1), pair.slice(2)]),
);
/** Joiners between letters, and the stroke that makes Arabic words longer. */
const unseen = /\u200c|\u200d|\u0640/g;
const special = new RegExp(`[${Object.keys(plain).join("")}]`, "g");

/** Matches most names: they have neither accents nor compatibility forms. */
const inAscii = /^[ -~]*$/;

/** Returns the text without case, accents and compatibility forms, and with plain letters for special ones. */
export function folded(text: string): string {
  if (inAscii.test(text)) return text.toLowerCase();
  // A capital letter may decompose only after lowercasing.
  const small = text.normalize("NFKD").toLowerCase().normalize("NFKD");
  const bare = small.replace(/\p{M}+/gu, "").replace(unseen, "");
  return bare.replace(special, (letter) => plain[letter] ?? letter);
}
