// Texts of the viewer of pictures, in English.
export const english = {
  lightbox: "Pictures",
  slide: "Picture",
  slideOf: "{index} of {total}",
  close: "Close",
  previous: "Previous picture",
  next: "Next picture",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  placeOf: (place: number, all: number) => `${place} of ${all}`,
  copyLink: "Copy link",
  openOriginal: "Open original",
  showPicture: (name: string) => `Show ${name}`,
};
