// The type of a catalogue with its literals widened to `string`, for the same words in another language.

export type Wide<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [key in keyof T]: Wide<T[key]> };
