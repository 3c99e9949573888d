// Checks and sends a file; loaded with the first one.
import { addressOf, CallError, calls } from "../../../client/call.ts";
import { problemOf } from "../../../client/file-problem.ts";
import type { Sender, SendFile } from "../../../client/uploads.ts";
import { onDrop } from "../../../web/ui/session/belongings.ts";
import type { Attachment } from "../contract.ts";

let underWay = 0;

/** A file that is on its way is lost with the page. */
function ask(event: BeforeUnloadEvent): void {
  if (underWay > 0) event.preventDefault();
}

// A person who signs out gives it up.
onDrop(() => removeEventListener("beforeunload", ask));

/** Uses XMLHttpRequest, as `fetch` does not say how much of a file is sent. */
const send: SendFile = (file, name, onProgress) => {
  const request = new XMLHttpRequest();
  const done = new Promise<Attachment>((resolve, reject) => {
    request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
    request.onload = () => {
      if (request.status === 201 && request.response) return resolve(request.response);
      const error = new CallError(request.status, request.response ?? {});
      if (error.code === "unauthenticated") calls.onSignedOut();
      reject(error);
    };
    request.onerror = () => reject(new CallError(0, {}));
    request.onabort = () => reject(new CallError(0, {}));
  });
  const form = new FormData();
  form.append("file", file, name);
  request.open("POST", addressOf("/upload"));
  request.responseType = "json";
  addEventListener("beforeunload", ask);
  underWay++;
  request.onloadend = () => underWay--;
  request.send(form);
  return { done, cancel: () => request.abort() };
};

export const sender: Sender = { problemOf, send };
