// Removing location data from real pictures of each format: it goes with EXIF or XMP, while pixels and orientation
// stay.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import sharp from "sharp";
import { openBaring } from "../../../tests/house/material/bare.ts";
import { inVienna, pictureFormats, pictureOf, xmpOfVienna } from "../../../tests/house/material/images.ts";

let baring: Awaited<ReturnType<typeof openBaring>>;
beforeAll(async () => {
  baring = await openBaring();
});
afterAll(() => baring.close());

const pixelsOf = (picture: Buffer) => sharp(picture).raw().toBuffer();
/** Words in the EXIF and XMP of the pictures in these tests. */
const said = ["Box camera", "GPSLatitude", "\x30\0\0\0\x01\0\0\0\x0c\0\0\0"];
const saysAny = (picture: Buffer) => said.filter((word) => picture.includes(word, 0, "latin1"));

for (const format of pictureFormats) {
  describe(format, () => {
    test("EXIF with a place goes, and so does all XMP; the pixels are the same", async () => {
      for (const wish of [{ exif: inVienna }, { xmp: xmpOfVienna }, { exif: inVienna, xmp: xmpOfVienna }]) {
        const picture = await pictureOf(format, wish);
        const before = await sharp(picture).metadata();
        expect([before.exif !== undefined, before.xmp !== undefined]).toEqual([
          "exif" in wish,
          "xmp" in wish,
        ]);
        const bare = (await baring.bare(format, picture)) ?? picture;
        expect(saysAny(bare)).toEqual([]);
        const { exif, xmp, ...shown } = await sharp(bare).metadata();
        expect({ exif, xmp }).toEqual({ exif: undefined, xmp: undefined } as never);
        expect([shown.width, shown.height, shown.icc]).toEqual([
          before.width,
          before.height,
          before.icc,
        ] as never);
        expect(await pixelsOf(bare)).toEqual(await pixelsOf(picture));
      }
    });

    test("it still shows the right way up, each of the eight ways", async () => {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const picture = await pictureOf(format, { exif: inVienna, xmp: xmpOfVienna, orientation });
        const bare = (await baring.bare(format, picture)) ?? picture;
        expect(saysAny(bare)).toEqual([]);
        const [before, after] = [await sharp(picture).metadata(), await sharp(bare).metadata()];
        expect([orientation, after.autoOrient]).toEqual([orientation, before.autoOrient]);
        const shown = (one: Buffer) => sharp(one).autoOrient().raw().toBuffer();
        expect(await shown(bare)).toEqual(await shown(picture));
      }
    });

    test("without a place it is kept byte for byte, whatever else it says", async () => {
      const camera = { IFD0: { Model: "Box camera", Copyright: "Ada" }, IFD2: { ISOSpeedRatings: "100" } };
      for (const wish of [
        {},
        { orientation: 6 },
        { exif: camera },
        { exif: camera, orientation: 3 },
        // Cameras without a location write only this much.
        { exif: { ...camera, IFD3: { GPSVersionID: "2 3 0 0" } } },
      ])
        expect([wish, await baring.bare(format, await pictureOf(format, wish))]).toEqual([wish, undefined]);
    });

    test("what is left has nothing to take away", async () => {
      const picture = await pictureOf(format, { exif: inVienna, xmp: xmpOfVienna, orientation: 8 });
      const bare = await baring.bare(format, picture);
      expect(await baring.bare(format, bare ?? picture)).toBeUndefined();
    });

    test("cut off anywhere it says no place that was whole in it, and is no obstacle", async () => {
      const picture = await pictureOf(format, { exif: inVienna, xmp: xmpOfVienna });
      const whole = await baring.bare(format, picture);
      expect(whole).toBeDefined();
      for (let length = 0; length < picture.length; length += 7) {
        const part = picture.subarray(0, length);
        const bare = (await baring.bare(format, part)) ?? part;
        // In EXIF the camera's name comes first: if the location is there, the name must be gone.
        if (part.includes(said[2] ?? "", 0, "latin1")) expect([length, saysAny(bare)]).toEqual([length, []]);
      }
    });

    test("with any bytes changed it ends, and never takes more than it was given", async () => {
      const picture = await pictureOf(format, { exif: inVienna, xmp: xmpOfVienna, orientation: 6 });
      for (let seed = 1; seed <= 400; seed++) {
        const odd = Buffer.from(picture);
        for (let i = 0, at = seed; i < 1 + (seed % 8); i++) {
          at = (at * 1_103_515_245 + 12_345) % 2_147_483_648;
          odd[at % odd.length] = (at >> 8) & 0xff;
        }
        const bare = await baring.bare(format, odd);
        expect((bare ?? odd).length).toBeLessThanOrEqual(odd.length + 26);
      }
    });
  });
}

test("a GIF, which is none of these formats, is kept as it is", async () => {
  const gif = await sharp({ create: { width: 9, height: 6, channels: 3, background: "teal" } })
    .gif()
    .toBuffer();
  expect(await baring.bare("gif", gif)).toBeUndefined();
});
