// The cached facts about one home.
import { Cache } from "../cache.ts";

/** The name of the cache of homes, for `unit.drop`. */
export const cachedHomes = "homes";

/** The cached facts about one home, and the version of its rights that checks are compared with. */
export class RememberedHome {
  /** The number itself once it is loaded, so that most units need not wait. */
  version: Promise<number | undefined> | number | undefined;
  readonly parts = new Cache<unknown>(20_000);

  constructor(version: Promise<number | undefined>, failed: () => void) {
    this.version = version;
    version.then((known) => {
      this.version = known;
    }, failed);
  }

  /**
   * Takes over the version that an event raised. Returns false when it is not the next one: then an event was missed.
   */
  follow(version: number | undefined): boolean {
    if (version === undefined || version === this.version) return true;
    if (version - 1 !== this.version) return false;
    this.version = version;
    return true;
  }
}
