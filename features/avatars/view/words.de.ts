// Texts about own pictures, in German.
export const german = {
  picture: "Bild",
  change: "Bild ändern",
  changeOf: (name: string) => `Bild von ${name} ändern`,
  remove: "Bild entfernen",
  removeOf: (name: string) => `Bild von ${name} entfernen`,
  hint: "Quadratisch, mindestens 64 Pixel je Seite. Das Original wird nicht aufbewahrt.",
  derived:
    "Dieses kommt von einem Avatar-Dienst, anhand eines Hashs deiner E-Mail-Adresse. Ein eigenes tritt an seine Stelle.",
  first: "Zieh ein Bild hierher oder füge es ein. Bis 8 MB.",
  another: "Zieh ein anderes hierher oder füge es ein. Bis 8 MB.",
  byTouch: "Ein Bild bis 8 MB.",
  choose: "Datei wählen",
  chooseFirst: "Wähle zuerst ein Bild",
  square: "Quadrat",
  size: "Größe",
  keys: "Zieh das Quadrat. Mit Tasten: Pfeile verschieben es, + und − ändern seine Größe.",
  corners: "Zieh das Quadrat oder eine seiner Ecken.",
  /** Sides in pixels, and where the picture is shown at that size. */
  samples: [
    [72, "auf einer Karte"],
    [36, "neben Nachrichten"],
    [20, "in Listen"],
  ] as const,
  serverSamples: [
    [72, "auf einer Einladung"],
    [26, "neben dem Namen"],
  ] as const,
  save: "Speichern",
  tooLarge: (name: string, most: number) => `${name} hat mehr als ${most} MB. Wähle ein kleineres.`,
  tooSmall: (name: string, least: number, width: number, height: number) =>
    `${name} hat ${width} × ${height} Pixel und braucht mindestens ${least} je Seite.`,
  tooVast: (name: string, most: number) =>
    `${name} hat mehr als ${most} Millionen Pixel. Wähle ein kleineres.`,
  unreadable: (name: string) =>
    `${name} lässt sich nicht als Bild lesen. Wähle ein JPEG, PNG, GIF, WebP oder AVIF.`,
};
