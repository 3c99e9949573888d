// Draws the first frame of a possibly animated picture on a canvas, where it stays still.
export function drawFirstFrame(canvas: HTMLCanvasElement | null, picture: HTMLImageElement): void {
  if (!canvas) return;
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
}
