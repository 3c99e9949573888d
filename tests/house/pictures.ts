// Pictures in tests: real ones of each format, with or without a word of where they were taken.
import sharp, { type Exif } from "sharp";

export const pictureFormats = ["jpeg", "png", "webp", "avif"] as const;
export type PictureFormat = (typeof pictureFormats)[number];

/** EXIF that says where a picture was taken, and with which camera. */
export const inVienna: Exif = {
  IFD0: { Model: "Box camera" },
  IFD3: {
    ...{ GPSLatitudeRef: "N", GPSLatitude: "48/1 12/1 30/1" },
    ...{ GPSLongitudeRef: "E", GPSLongitude: "16/1 22/1 20/1" },
  },
};

export const xmpOfVienna =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,12.5N"/></rdf:RDF></x:xmpmeta>';

export interface Wish {
  width?: number;
  height?: number;
  exif?: Exif;
  xmp?: string;
  orientation?: number;
}

/** A picture whose upper left corner is red, so that it shows which way up it is. */
export function pictureOf(format: PictureFormat, wish: Wish = {}): Promise<Buffer> {
  const { width = 90, height = 60, exif, xmp, orientation } = wish;
  const of = (background: string, share: number) => ({
    create: {
      width: Math.ceil(width * share),
      height: Math.ceil(height * share),
      channels: 3 as const,
      background,
    },
  });
  let picture = sharp(of("teal", 1)).composite([{ input: of("red", 1 / 3), left: 0, top: 0 }]);
  if (orientation) picture = picture.withMetadata({ orientation });
  if (exif) picture = picture.withExifMerge(exif);
  if (xmp) picture = picture.withXmp(xmp);
  return picture.toFormat(format, { quality: 90 }).toBuffer();
}
