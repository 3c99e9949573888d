// The square that is cut from a picture, in its pixels: moved and sized, and always inside.

export interface Sides {
  width: number;
  height: number;
}

/** The corner at the top left, and the side. */
export interface Square {
  x: number;
  y: number;
  size: number;
}

/** A corner of the square: -1 is left or top, 1 is right or bottom. */
export interface Corner {
  across: -1 | 1;
  down: -1 | 1;
}

/** The smallest side of a picture that the server takes, which is also that of a square. */
export const least = 64;

export function largest({ width, height }: Sides): number {
  return Math.min(width, height);
}

export function middle(sides: Sides): Square {
  const size = largest(sides);
  return moved({ x: 0, y: 0, size }, (sides.width - size) / 2, (sides.height - size) / 2, sides);
}

export function moved({ x, y, size }: Square, dx: number, dy: number, sides: Sides): Square {
  return {
    x: between(0, x + dx, sides.width - size),
    y: between(0, y + dy, sides.height - size),
    size,
  };
}

/** Returns the square in another size, with the same middle as far as it stays inside. */
export function sized(square: Square, size: number, sides: Sides): Square {
  const next = between(least, size, largest(sides));
  const shift = (square.size - next) / 2;
  return moved({ ...square, size: next }, shift, shift, sides);
}

/** Returns the square with one corner dragged; the opposite one stays. */
export function stretched(
  { x, y, size }: Square,
  { across, down }: Corner,
  [dx, dy]: readonly [number, number],
  { width, height }: Sides,
): Square {
  const most = Math.min(across < 0 ? x + size : width - x, down < 0 ? y + size : height - y);
  const next = between(least, size + Math.max(across * dx, down * dy), most);
  return { x: across < 0 ? x + size - next : x, y: down < 0 ? y + size - next : y, size: next };
}

function between(low: number, value: number, high: number): number {
  return Math.round(Math.max(low, Math.min(value, high)));
}
