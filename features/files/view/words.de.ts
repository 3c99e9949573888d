// Texts of files, in German.
export const german = {
  openPicture: (name: string) => `${name} öffnen`,
  playPicture: (name: string) => `${name} abspielen`,
  cannotShow: (name: string) => `${name} lässt sich nicht anzeigen.`,
  download: "Herunterladen",
  downloadFile: (name: string) => `${name} herunterladen`,
  lightbox: "Bilder",
  slide: "Bild",
  slideOf: "{index} von {total}",
  close: "Schließen",
  previous: "Voriges Bild",
  next: "Nächstes Bild",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
};
