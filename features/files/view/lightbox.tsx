// Pictures over the whole page, one after the other. What it is made of is loaded with the first one.
import { lazy, Suspense } from "react";

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

const Overlay = lazy(() => import("./lightbox-overlay.tsx"));

export function Lightbox(props: LightboxProps) {
  return (
    <Suspense>
      <Overlay {...props} />
    </Suspense>
  );
}
