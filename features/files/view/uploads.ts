// The files that wait for a message, for views: one list for the page, whatever room is open.
import { useMemo, useSyncExternalStore } from "react";
import { addressOf, CallError, calls } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import { type SendFile, type Upload, Uploads } from "../../../client/uploads.ts";
import { useHouse } from "../../../web/ui/house.tsx";
import type { Attachment } from "../contract.ts";

const lists = new WeakMap<Chat, Uploads>();

export function uploadsOf(chat: Chat): Uploads {
  const known = lists.get(chat) ?? new Uploads(sendFile);
  lists.set(chat, known);
  return known;
}

export function useUploads(channelId: string): readonly Upload[] {
  const uploads = uploadsOf(useHouse().chat);
  const all = useSyncExternalStore(uploads.subscribe, () => uploads.all);
  return useMemo(() => all.filter((each) => each.channelId === channelId), [all, channelId]);
}

/** By XMLHttpRequest, as `fetch` says nothing of how far it is. */
const sendFile: SendFile = (file, name, onProgress) => {
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
  request.send(form);
  return { done, cancel: () => request.abort() };
};
