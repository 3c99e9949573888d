// What may be spent on a picture, and how large its preview is: for the server and for the process that decodes.

/** A picture of more is not decoded. */
export const mostPixels = 100_000_000;
/** The longest side of a preview, in pixels. */
export const previewSide = 800;
/** Processor time of the process. On a busy machine a photo takes its time, and costs no more than on an idle one. */
export const processorMs = 5000;
/** From the start of the process to its end. */
export const patienceMs = 10_000;
/** Bytes that the process may really have in memory. */
export const mostMemory = 512 * 1024 * 1024;
/** How often all three are looked at. */
export const watchMs = 20;

/** The exit code that says that the picture cannot be decoded. */
export const undecodable = 3;
