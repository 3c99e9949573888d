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
};
