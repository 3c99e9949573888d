// Texts about own pictures, in English.
export const english = {
  picture: "Picture",
  change: "Change picture",
  changeOf: (name: string) => `Change picture of ${name}`,
  remove: "Remove picture",
  removeOf: (name: string) => `Remove picture of ${name}`,
  hint: "Square, at least 64 pixels a side. The original is not kept.",
  derived:
    "This one comes from an avatar service, by a hash of your e-mail address. Your own takes its place.",
  first: "Drop a picture here or paste it. Up to 8 MB.",
  another: "Drop another one here or paste it. Up to 8 MB.",
  byTouch: "A picture of up to 8 MB.",
  choose: "Choose a file",
  chooseFirst: "Choose a picture first",
  square: "Square",
  size: "Size",
  keys: "Drag the square. With keys: arrows move it, + and − change its size.",
  corners: "Drag the square, or one of its corners.",
  /** Sides in pixels, and where the picture is shown at that size. */
  samples: [
    [72, "on a card"],
    [36, "beside messages"],
    [20, "in lists"],
  ] as const,
  serverSamples: [
    [72, "on an invite"],
    [26, "beside its name"],
  ] as const,
  save: "Save",
  tooLarge: (name: string, most: number) => `${name} has more than ${most} MB. Choose a smaller one.`,
  tooSmall: (name: string, least: number, width: number, height: number) =>
    `${name} has ${width} × ${height} pixels, and needs at least ${least} a side.`,
  tooVast: (name: string, most: number) =>
    `${name} has more than ${most} million pixels. Choose a smaller one.`,
  unreadable: (name: string) => `${name} cannot be read as a picture. Choose a JPEG, PNG, GIF, WebP or AVIF.`,
};
