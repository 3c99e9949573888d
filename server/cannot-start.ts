// Why a program does not start, for the person who started it.
import { withoutSecrets } from "./secrets.ts";

/** A reason not to start, in a sentence for the person who started it, with the secrets that it repeats blanked. */
export class CannotStart extends Error {
  override name = "CannotStart";

  constructor(sentence: string, options?: ErrorOptions) {
    super(withoutSecrets(sentence), options);
  }
}

/** Another process has the data. */
export class AlreadyRunning extends CannotStart {}
