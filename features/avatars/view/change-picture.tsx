// The dialog "Change picture": a file that is chosen, dropped or pasted, the square that is cut from it, and what it will
// look like.
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Problem } from "../../../web/ui/controls/entry.tsx";
import { Slider } from "../../../web/ui/controls/slider.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { type Chosen, choose, fileIn, type Unfit } from "./chosen.ts";
import { Crop } from "./crop.tsx";
import styles from "./picture.module.css";
import { sendPicture } from "./sending.ts";
import { largest, least, middle, type Square, sized } from "./square.ts";

interface Props {
  /** The path of the operation that puts the picture up. */
  path: string;
  isServer: boolean;
  /** Called with the operation's answer. */
  onSaved(answer: unknown): void;
  onClose(): void;
}

/** On devices without a mouse there is nothing to drop, and mostly no keys. */
const byTouch = "(pointer: coarse)";

const taken = "image/jpeg,image/png,image/gif,image/webp,image/avif";

export default function ChangePicture({ path, isServer, onSaved, onClose }: Props) {
  const { avatars: words, parts } = useWords();
  const act = useAct();
  const { chosen, square, setSquare, unfit, take } = useChosen(act.forget);
  function save(event: FormEvent) {
    // A page of settings is a form, too, and React would bubble this event to it.
    event.stopPropagation();
    event.preventDefault();
    if (!chosen || !square || act.isBusy) return;
    const picture = { file: chosen.file, square };
    void act.run(async (signal) => onSaved(await sendPicture(path, picture, signal)), onClose);
  }
  return (
    <Dialog title={words.change} isWide isKept onClose={onClose}>
      <form className={styles.form} noValidate onSubmit={save}>
        <Choice hasOne={chosen !== undefined} onFile={take} />
        {chosen && square && <Cut chosen={chosen} square={square} isServer={isServer} onChange={setSquare} />}
        <div>
          <div role="status">{unfit && <Problem>{sentence(words, unfit)}</Problem>}</div>
          <Refused by={act.error} />
        </div>
        <div className={styles.buttons}>
          <Button kind="quiet" onClick={onClose}>
            {parts.cancel}
          </Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={act.isBusy}
            disabledBecause={chosen ? undefined : words.chooseFirst}
          >
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The picture and its square. A file that is refused leaves an earlier picture as it is. */
function useChosen(onTaken: () => void) {
  const [chosen, setChosen] = useState<Chosen>();
  const [square, setSquare] = useState<Square>();
  const [unfit, setUnfit] = useState<Unfit>();
  const latest = useRef(0);
  const isOver = useRef(false);
  const take = async (file: File) => {
    const turn = ++latest.current;
    const found = await choose(file);
    const isFit = "src" in found;
    if (turn !== latest.current || isOver.current) {
      if (isFit) found.forget();
      return;
    }
    onTaken();
    setUnfit(isFit ? undefined : found);
    if (!isFit) return;
    setChosen(found);
    setSquare(middle(found));
  };
  useEffect(() => () => chosen?.forget(), [chosen]);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);
  useGivenFiles((file) => void take(file));
  return { chosen, square, setSquare, unfit, take: (file: File) => void take(file) };
}

/**
 * Takes files that are dropped or pasted anywhere while the dialog is open: a browser opens one that nobody takes, and
 * the page would be lost.
 */
function useGivenFiles(take: (file: File) => void): void {
  const taking = useRef(take);
  taking.current = take;
  useEffect(() => {
    const stop = new AbortController();
    // Before everything else on the page, such as the room behind the dialog.
    const options = { capture: true, signal: stop.signal };
    const given = (event: Event, data: DataTransfer | null) => {
      if (!data?.types.includes("Files")) return;
      event.preventDefault();
      event.stopPropagation();
      const file = event.type === "dragover" ? undefined : fileIn(data);
      if (file) taking.current(file);
    };
    addEventListener("dragover", (event) => given(event, event.dataTransfer), options);
    addEventListener("drop", (event) => given(event, event.dataTransfer), options);
    addEventListener("paste", (event) => given(event, event.clipboardData), options);
    return () => stop.abort();
  }, []);
}

function Choice({ hasOne, onFile }: { hasOne: boolean; onFile(file: File): void }) {
  const { avatars: words } = useWords();
  const isByTouch = matchMedia(byTouch).matches;
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.choice}>
      <p>{isByTouch ? words.byTouch : hasOne ? words.another : words.first}</p>
      <Button onClick={() => input.current?.click()}>{words.choose}</Button>
      <input
        ref={input}
        type="file"
        accept={taken}
        hidden
        aria-label={words.choose}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
    </div>
  );
}

interface CutProps {
  chosen: Chosen;
  square: Square;
  isServer: boolean;
  onChange(square: Square): void;
}

function Cut({ chosen, square, isServer, onChange }: CutProps) {
  const { avatars: words } = useWords();
  const isByTouch = matchMedia(byTouch).matches;
  const id = useId();
  const most = largest(chosen);
  const share = Math.round((square.size / most) * 100);
  return (
    <>
      <div className={styles.row}>
        <Crop picture={chosen} square={square} describedBy={id} onChange={onChange} />
        <div className={styles.samples} aria-hidden="true">
          {(isServer ? words.serverSamples : words.samples).map(([side, place]) => (
            <p key={side}>
              <Sample chosen={chosen} square={square} side={side} />
              {place}
            </p>
          ))}
        </div>
      </div>
      <Slider
        label={words.size}
        value={share}
        min={Math.ceil((least / most) * 100)}
        max={100}
        said={`${share} %`}
        ends={[words.size, null]}
        onChange={(value) => onChange(sized(square, (value / 100) * most, chosen))}
      />
      <p id={id} className={styles.hint}>
        {isByTouch ? words.corners : words.keys}
      </p>
    </>
  );
}

function Sample({ chosen, square, side }: Pick<CutProps, "chosen" | "square"> & { side: number }) {
  const share = (part: number) => `${(part / square.size) * 100}%`;
  return (
    <span className={styles.sample} style={{ "--size": `${side}px` }}>
      <img
        src={chosen.src}
        alt=""
        style={{
          left: share(-square.x),
          top: share(-square.y),
          width: share(chosen.width),
          height: share(chosen.height),
        }}
      />
    </span>
  );
}

type Words = ReturnType<typeof useWords>["avatars"];

function sentence(words: Words, unfit: Unfit): string {
  const { name } = unfit;
  if (unfit.why === "vast") return words.tooVast(name, limits.avatar_pixels_max / 1e6);
  if (unfit.why === "small") return words.tooSmall(name, least, unfit.width, unfit.height);
  return unfit.why === "large"
    ? words.tooLarge(name, limits.avatar_bytes_max / 1024 / 1024)
    : words.unreadable(name);
}
