// Texts of files, in English.
export const english = {
  openPicture: (name: string) => `Open ${name}`,
  playPicture: (name: string) => `Play ${name}`,
  cannotShow: (name: string) => `${name} cannot be shown.`,
  download: "Download",
  downloadFile: (name: string) => `Download ${name}`,
};
