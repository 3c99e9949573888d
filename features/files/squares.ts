// Squares of a picture: the part of it that becomes somebody's own picture, in pixels of the picture as it is shown.

interface Sides {
  width: number;
  height: number;
}

/** The corner at the top left, and the side. */
export interface Square {
  x: number;
  y: number;
  size: number;
}

/** Returns the largest square in the middle. */
export function middleSquare({ width, height }: Sides): Square {
  const size = Math.min(width, height);
  return { x: Math.floor((width - size) / 2), y: Math.floor((height - size) / 2), size };
}

export function isInside({ x, y, size }: Square, { width, height }: Sides): boolean {
  return x >= 0 && y >= 0 && size >= 1 && x + size <= width && y + size <= height;
}

/**
 * Returns the corner of a square in the picture as it is stored. `orientation`: that of its EXIF data, by which the
 * stored picture is turned and mirrored to be shown; `shown`: its sides as it is shown.
 */
export function storedCorner(
  { x, y, size }: Square,
  orientation: number,
  { width, height }: Sides,
): { left: number; top: number } {
  const [right, bottom] = [width - x - size, height - y - size];
  switch (orientation) {
    case 2:
      return { left: right, top: y };
    case 3:
      return { left: right, top: bottom };
    case 4:
      return { left: x, top: bottom };
    case 5:
      return { left: y, top: x };
    case 6:
      return { left: y, top: right };
    case 7:
      return { left: bottom, top: right };
    case 8:
      return { left: bottom, top: x };
    default:
      return { left: x, top: y };
  }
}
