// Real pictures of each format for tests, with or without location data.
import { deflateSync, gunzipSync } from "node:zlib";
import sharp, { type Exif } from "sharp";
import { joined, pngChunk, u32 } from "./containers.ts";

export const pictureFormats = ["jpeg", "png", "webp", "avif"] as const;
type PictureFormat = (typeof pictureFormats)[number];

/** EXIF with the place where a picture was taken, and the camera. */
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

interface Wish {
  width?: number;
  height?: number;
  exif?: Exif;
  xmp?: string;
  orientation?: number;
}

/** A picture whose upper left corner is red, so that its orientation shows. */
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

/**
 * An AVIF of 10,000 × 10,000 pixels of one colour, in two kilobytes: decoded it takes two gigabytes. Encoding it would
 * take ten seconds.
 */
export const greedyAvif = gunzipSync(
  Buffer.from(
    [
      "H4sIAAAAAAACA2NgYJBJK6ksSCzLTGMAgtzMNEMQOzczEcS/lptaksgAAYoZKTlFUDZDQWZyCQMaUMrMyU8GMVwcGBiBEAR+QWkG",
      "tklAQjkzMw9sDVhUFMhJZYLyEssMDEFMvoLMkly4krDMgqICIG2RWZCcD6R5EssMnRvtwZpEMosLUiGGqwtAMINAQWZFJkiEmYOD",
      "A0iJZRbkwtwPdBJzIxMz0CmzclMSS4QYuLjtv6fzz7FdwmIi5WDUwCt80imZ5fB5m8+OCgwMEefPuCrtM54ypevduZNWFQaTrvVG",
      "bGtVn6afk9xnoBWYW2qv6HFaLW6+T8vWqc/UZt146LR8r6GH0trD8t277526xdZqee9ksY34rbddoe+irF1DGBqNZDcZ3FKc8Dbq",
      "/JmguIlzl+ycG7mmP+PJqqL0W2s2tdRuD5wxsel+SahO6nSRHS3Hni3nlP1lFfO2MOWNoaVC6YOSjv8ebJ/Z7aMzEmo//7z24eyC",
      "S1mbHp2tPh07r+b4qp8RwXkbJvz1oqXZxaSZndalo3t95t8jzAtLJHfuZg48wrhP+/1PU5Ep2Tbdyz5+q5NIvX1VtZuvy76wZrvG",
      "rouzRA6llPOxZnUtcaqfdP1awf+SaI+yJwZDNbBGI2I0ImgTEcU08tCumYv8ql6kXPziuO/B64kRzx9Wnpisfmla0MLPFwoTRo6l",
      "dI7S+3fzFJ7fS70///yGMgBpwui1jAcAAA==",
    ].join(""),
    "base64",
  ),
);

const pngHead = Buffer.from("89504e470d0a1a0a", "hex");

/** A black and white PNG of any size, in a few kilobytes. `rows`: the number of rows that the file really contains. */
export function hugePng(width: number, height: number, rows = height): Buffer {
  const row = 1 + Math.ceil(width / 8);
  return joined(
    pngHead,
    pngChunk("IHDR", u32(width), u32(height), Buffer.of(1, 0, 0, 0, 0)),
    pngChunk("IDAT", deflateSync(Buffer.alloc(row * rows))),
    pngChunk("IEND"),
  );
}

/** An animated GIF of this many images, each of another colour, the first of them red. */
export function movingGif(width: number, height: number, images: number): Promise<Buffer> {
  return movingPicture("gif", width, height, images);
}

export async function movingPicture(
  format: "gif" | "webp",
  width: number,
  height: number,
  images = 2,
): Promise<Buffer> {
  const each = Array.from({ length: images }, (_, i) => {
    const background = { r: 255 - i * 20, g: i * 20, b: 0 };
    return sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  });
  return sharp(await Promise.all(each), { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}
