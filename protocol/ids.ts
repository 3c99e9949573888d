// Ids are UUIDs of version 7: they begin with the time at which they were made, and sort by it.

/** Returns the lowest id of a moment (milliseconds since 1970): every id that is made then or later is above it. */
export function lowestIdAt(ms: number): string {
  const hex = Math.max(0, ms).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
