// Limits for decoding a picture, and the size of its preview, for the server and for the decoding process.
import { limits } from "../../protocol/limits.ts";

/** A picture with more pixels is not decoded. */
export const mostPixels = limits.avatar_pixels_max;
/** The longest side of a preview, in pixels. */
export const previewSide = 800;
/** The sides of an own picture, in pixels, in the order in which the process writes them. */
export const avatarSides = [512, 256, 64] as const;
export type AvatarSide = (typeof avatarSides)[number];
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
