// The reason why a program does not start, as a sentence for the operator.
import { withoutSecrets } from "./secrets.ts";

/** A sentence for the operator, with its secrets redacted. */
export class CannotStart extends Error {
  override name = "CannotStart";

  constructor(sentence: string, options?: ErrorOptions) {
    super(withoutSecrets(sentence), options);
  }
}

/** Another process holds the data folder or the database. */
export class AlreadyRunning extends CannotStart {}
