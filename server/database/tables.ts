// The type of all tables; each store adds its own by declaration merging, and no other file names them.

// biome-ignore lint/suspicious/noEmptyInterface: filled by the stores (declare module).
export interface Tables {}
