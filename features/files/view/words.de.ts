// Texts of files, in German.
export const german = {
  openPicture: (name: string) => `${name} öffnen`,
  playPicture: (name: string) => `${name} abspielen`,
  cannotShow: (name: string) => `${name} lässt sich nicht anzeigen.`,
  download: "Herunterladen",
  downloadFile: (name: string) => `${name} herunterladen`,
};
