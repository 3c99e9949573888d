// A slideshow of pictures over the whole page, whose code is loaded with the first one.
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { withWords } from "../../../web/ui/words/words.ts";

export interface Slide {
  /** The address of the original. */
  src: string;
  /** The address of a smaller version. */
  preview?: string;
  alt: string;
  width: number | null;
  height: number | null;
  /** In bytes. */
  size?: number;
}

/** The message that the pictures belong to. */
export interface SaidIn {
  id: string;
  server_id: string | null;
  channel_id: string;
  author: { id: string; display_name: string; avatar: string | null };
  created_at: string;
}

export interface LightboxProps {
  slides: readonly Slide[];
  index: number;
  message: SaidIn;
  onClose(): void;
}

export const Lightbox = lazily<LightboxProps>(
  async () => (await withWords("rest", import("./lightbox-overlay.tsx"))).default,
);
