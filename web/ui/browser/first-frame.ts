// The first frame of a picture that may move, on a canvas, which keeps it.
export function drawFirstFrame(canvas: HTMLCanvasElement | null, picture: HTMLImageElement): void {
  if (!canvas) return;
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
}
