// The people who use the product at this moment: the gateway knows them by its sockets, and features ask the house.

export interface Activity {
  /** Returns the people among these who said something on one of their sockets within the last minute. */
  activeAmong(userIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Of a house without sockets. */
export const nobodyActive: Activity = { activeAmong: async () => new Set() };
