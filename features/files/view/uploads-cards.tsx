// The files of a message that is being written: a card for each, with its progress and its problem.
import { File, RotateCw, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { CallError } from "../../../client/call.ts";
import type { FileProblem, Upload } from "../../../client/uploads.ts";
import { limits } from "../../../protocol/limits.ts";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { IconButton } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { byteSize } from "../../../web/ui/words/sizes.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import styles from "./uploads.module.css";
import { uploadsOf, useUploads } from "./uploads.ts";
import { progressText } from "./uploads-sizes.ts";

interface Props {
  channelId: string;
  /** Takes the focus when the focused card is removed. */
  onGone(): void;
}

export function UploadCards({ channelId, onGone }: Props) {
  const { uploads: words } = useWords();
  const all = useUploads(channelId);
  if (all.length === 0) return null;
  return (
    <ul className={styles.cards} aria-label={words.files}>
      {all.map((upload) => (
        <Card key={upload.id} upload={upload} onGone={onGone} />
      ))}
    </ul>
  );
}

function Card({ upload, onGone }: { upload: Upload; onGone(): void }) {
  const { uploads: words } = useWords();
  const uploads = uploadsOf(useHouse().chat);
  const { id, name, state } = upload;
  const isUnderWay = state.is === "waiting" || state.is === "sending";
  const isWrong = state.is === "refused" || state.is === "failed";
  return (
    <li className={classNames(styles.card, isWrong && styles.wrong)}>
      <Thumbnail upload={upload} isWrong={isWrong} />
      <div className={styles.text}>
        <b>{name}</b>
        <span role={isWrong ? "alert" : undefined}>
          <Standing upload={upload} />
        </span>
        {isUnderWay && <Bar upload={upload} />}
      </div>
      {state.is === "failed" && (
        <IconButton label={words.tryAgain(name)} icon={RotateCw} onClick={() => uploads.retry(id)} />
      )}
      <IconButton
        label={isUnderWay ? words.cancel(name) : words.remove(name)}
        icon={X}
        onClick={() => {
          uploads.remove(id);
          onGone();
        }}
      />
    </li>
  );
}

function Standing({ upload: { size, state } }: { upload: Upload }) {
  const { uploads: words } = useWords();
  const most = useInstance()?.limits.upload_bytes_max ?? limits.upload_bytes_max;
  switch (state.is) {
    case "waiting":
      return words.waiting;
    case "sending":
      return words.progress(progressText(state.sent, size));
    case "done":
      return byteSize(size);
    case "failed":
      return failure(state.error);
    case "refused":
      return refusal(state.problem);
  }

  function failure(error: CallError | "not loaded"): string {
    if (error === "not loaded") return words.notLoaded;
    return error.status === 0 ? words.unreachable : words.failed(words.refused(error));
  }

  function refusal(problem: FileProblem | CallError): string {
    if (problem instanceof CallError) return words.refused(problem);
    return problem === "too big" ? words.tooBig(byteSize(size), byteSize(most)) : words.problem(problem);
  }
}

function Bar({ upload: { name, size, state } }: { upload: Upload }) {
  const { uploads: words } = useWords();
  const percent = state.is === "sending" && size > 0 ? Math.round((100 * state.sent) / size) : 0;
  return (
    <div
      role="progressbar"
      aria-label={words.sending(name)}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={styles.bar}
    >
      <i style={{ inlineSize: `${percent}%` }} />
    </div>
  );
}

function Thumbnail({ upload, isWrong }: { upload: Upload; isWrong: boolean }) {
  const address = usePreview(upload);
  const [isBroken, setBroken] = useState(false);
  if (isWrong) return <Icon of={TriangleAlert} />;
  if (!address || isBroken) return <Icon of={File} />;
  return <img src={address} alt="" className={styles.thumbnail} onError={() => setBroken(true)} />;
}

/** Returns the URL of the local picture, or of the one that the server made; undefined if the file is not a picture. */
function usePreview({ file, state }: Upload): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file || !/^image\/(png|jpeg|gif|webp|avif)$/.test(file.type)) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (address || state.is !== "done") return address;
  const { preview_url, url, width } = state.attachment;
  return width === null ? undefined : (preview_url ?? url);
}
