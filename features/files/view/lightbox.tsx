// A slideshow of pictures over the whole page, whose code is loaded with the first one.
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { withWords } from "../../../web/ui/words/words.ts";

export interface Slide {
  src: string;
  alt: string;
  width: number | null;
  height: number | null;
}

export interface LightboxProps {
  slides: readonly Slide[];
  index: number;
  onClose(): void;
}

export const Lightbox = lazily<LightboxProps>(
  async () => (await withWords("rest", import("./lightbox-overlay.tsx"))).default,
);
