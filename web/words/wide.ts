// The shape of a catalogue: the same words in another language have it, too.

export type Wide<T> = T extends string
  ? string
  : T extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [key in keyof T]: Wide<T[key]> };
