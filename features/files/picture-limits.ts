// Limits for decoding a picture, and the size of its preview, for the server and for the decoding process.

/** A picture with more pixels is not decoded. */
export const mostPixels = 100_000_000;
/** The longest side of a preview, in pixels. */
export const previewSide = 800;
/** Processor time of the process, in milliseconds: a photo takes longer on a busy machine, but no more of this. */
export const processorMs = 5000;
/** Longest time from the start of the process to its end, in milliseconds. */
export const patienceMs = 10_000;
/** Limit of the process's resident memory, in bytes. */
export const mostMemory = 512 * 1024 * 1024;
/** Interval at which all three are checked, in milliseconds. */
export const watchMs = 20;

/** The exit code for a picture that cannot be decoded. */
export const undecodable = 3;
