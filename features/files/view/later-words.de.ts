// Texts of the viewer of pictures, in German.
export const german = {
  lightbox: "Bilder",
  slide: "Bild",
  slideOf: "{index} von {total}",
  close: "Schließen",
  previous: "Voriges Bild",
  next: "Nächstes Bild",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  placeOf: (place: number, all: number) => `${place} von ${all}`,
  copyLink: "Link kopieren",
  openOriginal: "Original öffnen",
  showPicture: (name: string) => `${name} zeigen`,
};
