// The validity of an invite that the page makes.

/** Hours, unless somebody chooses otherwise: enough for people who rarely read their mail. */
export const usualHours = 7 * 24;
