// Doubles of the services that the operator names, at one address each: every connection gets another misdeed.
import type { Socket } from "node:net";
import { afterHead, MisbehavingBackends } from "./misbehaving-backends.ts";
import { type Misdeed, mailMisdeeds, misdeeds } from "./misdeeds.ts";

/** The length that the store reports for each object. */
const objectBytes = 1_000_000;

/** Starts them and returns a Hearth's settings for them. They end with their process. */
export async function openBackendsInTurn(): Promise<Record<string, string>> {
  const backends = await MisbehavingBackends.open([]);
  const gifs = await backends.listen("GIFs", inTurn(misdeeds));
  const media = await backends.listen("the media service", inTurn(misdeeds));
  const mail = await backends.listen("the mail server", inTurn([...misdeeds, ...mailMisdeeds], true));
  const store = await backends.listen("the store", storing());
  return {
    GIF_API_KEY: "key",
    GIF_API_URL: `http://127.0.0.1:${gifs}`,
    LIVEKIT_URL: `ws://127.0.0.1:${media}`,
    LIVEKIT_API_KEY: "key",
    LIVEKIT_API_SECRET: "a secret of more than thirty-two letters",
    SMTP_URL: `smtp://127.0.0.1:${mail}`,
    MAIL_FROM: "Hearth <hearth@house.example>",
    S3_URL: `http://127.0.0.1:${store}/bucket`,
    S3_REGION: "us-east-1",
    S3_ACCESS_KEY_ID: "key",
    S3_SECRET_ACCESS_KEY: "secret",
  };
}

function turns<T>(of: readonly T[]): () => T {
  let count = 0;
  return () => of[count++ % of.length] as T;
}

/** With `speaksFirst` each misdeed starts at once on connecting, as a mail server's greeting does. */
function inTurn(given: readonly Misdeed[], speaksFirst = false): (socket: Socket) => void {
  const next = turns(given);
  return (socket) => {
    const misdeed = next();
    if (speaksFirst || misdeed.isBare) misdeed.do(socket.resume());
    else afterHead(socket, () => misdeed.do(socket));
  };
}

/**
 * A store that passes every health check, so that requests are let through again each second; it claims to have every
 * second object that is looked up.
 */
function storing(): (socket: Socket) => void {
  const next = turns(misdeeds);
  const isLookedFor = turns([true, false]);
  return (socket) =>
    afterHead(socket, (head) => {
      const isTrial = /\/hearth\.(trial|none) |[?&]list-type=/.test(head.slice(0, head.indexOf("\r\n")));
      if (isTrial || (head.startsWith("HEAD") && isLookedFor())) socket.end(answerOf(head));
      else next().do(socket);
    });
}

function answerOf(head: string): string {
  const answer = (status: string, body: string, length = body.length) =>
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${body}`;
  if (head.startsWith("HEAD")) return answer("200 OK", "", objectBytes);
  if (head.includes("list-type="))
    return answer("200 OK", "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>");
  return head.startsWith("GET") ? answer("206 Partial Content", "d") : answer("200 OK", "");
}
