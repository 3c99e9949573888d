// Texts of files, in English.
export const english = {
  openPicture: (name: string) => `Open ${name}`,
  playPicture: (name: string) => `Play ${name}`,
  cannotShow: (name: string) => `${name} cannot be shown.`,
  download: "Download",
  downloadFile: (name: string) => `Download ${name}`,
  lightbox: "Pictures",
  slide: "Picture",
  slideOf: "{index} of {total}",
  close: "Close",
  previous: "Previous picture",
  next: "Next picture",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
};
