// Encryption of backups with a passphrase, in the format of age, which other programs read as well.
import { Decrypter, Encrypter } from "age-encryption";
import { CannotStart } from "../../server/cannot-start.ts";
import { passphraseIn } from "../../server/passphrase.ts";
import type { Output } from "../output.ts";
import { DamagedArchive } from "./tar.ts";

/** Encrypts the written bytes on their way to `output`, a piece at a time. */
export async function encrypted(output: Output, passphrase: string): Promise<Output> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  const plain = new TransformStream<Uint8Array, Uint8Array>();
  const writer = plain.writable.getWriter();
  // The key is derived from the passphrase before anything is read.
  const cipher = await encrypter.encrypt(plain.readable);
  const carried = carry(cipher, output);
  // An error of the output is thrown by the next write.
  carried.catch(() => {});
  return {
    name: output.name,
    write: (bytes) => Promise.race([writer.write(Uint8Array.from(bytes)), carried]),
    async finish() {
      await Promise.race([writer.close(), carried]);
      await carried;
      await output.finish();
    },
  };
}

async function carry(cipher: ReadableStream<Uint8Array>, output: Output): Promise<void> {
  for await (const bytes of cipher) await output.write(bytes);
}

const firstLine = "age-encryption.org/v1\n";

/** Yields the content of an encrypted backup; any other file as it is. */
export async function* decrypted(
  source: AsyncIterable<Uint8Array>,
  passphraseFile: string | undefined,
): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  let begin = Buffer.alloc(0);
  while (begin.length < firstLine.length) {
    const { value, done } = await pieces.next();
    if (done) break;
    begin = Buffer.concat([begin, value]);
  }
  const whole = chained(begin, pieces);
  if (begin.toString("latin1", 0, firstLine.length) !== firstLine) return yield* whole;
  if (passphraseFile === undefined)
    throw new CannotStart(
      "This backup is encrypted: name the file that holds its passphrase in BACKUP_PASSPHRASE_FILE.",
    );
  const decrypter = new Decrypter();
  decrypter.addPassphrase(await passphraseIn(passphraseFile));
  let isOpen = false;
  try {
    const plain = await decrypter.decrypt(asStream(whole));
    isOpen = true;
    yield* plain;
  } catch (error) {
    if (error instanceof CannotStart || error instanceof DamagedArchive) throw error;
    if (/no identity matched/.test((error as Error).message))
      throw new CannotStart("The passphrase in BACKUP_PASSPHRASE_FILE is not the one of this backup.");
    throw new DamagedArchive(
      isOpen ? "it is not as it was encrypted" : "its head is not as it was encrypted",
    );
  }
}

async function* chained(begin: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begin;
  for (;;) {
    const { value, done } = await rest.next();
    if (done) return;
    yield value;
  }
}

function asStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
