// The writing box: text, files, the message being replied to, and the buttons beside it.
import { ArrowUp, Plus, Square } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { limits } from "../../../../protocol/limits.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { IconButton } from "../../../../web/ui/controls/button.tsx";
import { following, later } from "../../../../web/ui/loading/later.tsx";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { uploadsOf, useUploads } from "../../../files/view/uploads.ts";
import { GifButton } from "../../../gifs/view/gif-button.tsx";
import { useInstance } from "../../../instance/view/instance.ts";
import { TypingLine } from "../../../typing/view/typing-line.tsx";
import { useDrafts, useDraftText } from "../drafting/drafts.ts";
import { useReplying } from "../drafting/replying.ts";
import {
  handOver,
  lengthOf,
  notSent,
  obstacleOf,
  send,
  stopWaiting,
  useIsWaiting,
} from "../drafting/sending.ts";
import styles from "./composer.module.css";
import { EmojiButton } from "./emoji.tsx";
import { useFocusOnOpening } from "./focus.ts";
import { TextArea } from "./text.tsx";

const DropPlace = following(async () => (await import("../../../files/view/uploads-drop.tsx")).DropPlace);
const ReplyBar = later(async () => (await import("./reply.tsx")).ReplyBar);
const UploadCards = later(async () => (await import("../../../files/view/uploads-cards.tsx")).UploadCards);

export function Writer({ channel }: { channel: OwnChannel }) {
  const { composer: words } = useWords();
  const area = useRef<HTMLTextAreaElement>(null);
  const text = useDraftText(channel.id);
  const replyTo = useReplying(({ byChannel }) => byChannel[channel.id]);
  const isWaiting = useIsWaiting(channel.id);
  const files = useUploads(channel.id);
  const { submit, sendGif, why, problem } = useSubmit(channel, text);
  const { note, attach, noFolders } = useAttaching(channel);
  useFocusOnOpening(area, replyTo);
  const focus = () => area.current?.focus({ preventScroll: true });
  const submitAndStay = () => {
    submit();
    focus();
  };
  return (
    <>
      <div className={styles.write}>
        <AttachButton onFiles={attach} />
        <div className={styles.box}>
          {replyTo !== undefined && (
            <ReplyBar
              channelId={channel.id}
              messageId={replyTo}
              onStop={() => {
                useReplying.getState().stop(channel.id);
                focus();
              }}
            />
          )}
          {files.length > 0 && <UploadCards channelId={channel.id} onGone={focus} />}
          <div className={classNames(styles.line, isLong(text) && styles.long)}>
            <TextArea ref={area} channel={channel} text={text} onSubmit={submit} onFiles={attach} />
            <GifButton
              onPick={(url) => {
                sendGif(url);
                requestAnimationFrame(focus);
              }}
            />
            <EmojiButton area={area} />
            <SendButton channelId={channel.id} isWaiting={isWaiting} why={why} onSend={submitAndStay} />
          </div>
        </div>
      </div>
      <div className={styles.below}>
        <TypingLine channel={channel} />
        <Standing
          text={text}
          note={isWaiting && files.length > 0 ? words.waits(files.length) : note}
          problem={problem}
        />
      </div>
      <DropPlace within={area} onFiles={attach} onFolders={noFolders} />
    </>
  );
}

/** On a phone, a text of more than a few words takes the whole width, above the buttons. */
function isLong(text: string): boolean {
  return text.length > 20 || text.includes("\n");
}

/** Files are checked before any upload; rejected ones are reported. */
function useAttaching({ id }: OwnChannel) {
  const { uploads: words } = useWords();
  const uploads = uploadsOf(useHouse().chat);
  const most = useInstance()?.limits;
  const count = useUploads(id).length;
  const [note, setNote] = useState<{ text: string; count: number }>();
  const say = (text: string) => setNote({ text, count: uploads.of(id).length });
  // It is about the files as they were then.
  if (note && note.count !== count) setNote(undefined);
  function attach(files: readonly File[]) {
    const now = { ...limits, ...most };
    const left = uploads.add(id, files, now);
    if (left > 0) say(words.tooMany(now.attachments_max, left));
    else setNote(undefined);
  }
  return { note: note?.text, attach, noFolders: () => say(words.noFolders) };
}

/** Sends the message, or reports what prevents it. */
function useSubmit(channel: OwnChannel, text: string) {
  const { composer: words } = useWords();
  const { chat, outbox } = useHouse();
  const drafts = useDrafts();
  const files = useUploads(channel.id);
  const isWaiting = useIsWaiting(channel.id);
  const most = useInstance()?.limits.message_max ?? limits.message_max;
  const obstacle = obstacleOf(text, files, most);
  const [met, setMet] = useState<typeof obstacle>();
  const reasons = {
    empty: words.nothingToSend,
    "too long": words.tooLong(lengthOf(text) - most),
    files: words.badFiles(notSent(files)),
  };
  function submit() {
    setMet(obstacle);
    if (isWaiting || obstacle === "empty") return;
    if (obstacle) announce(reasons[obstacle]);
    else send({ drafts, uploads: uploadsOf(chat), outbox }, channel.id);
  }
  /** The text stays in the box; the reply goes out with the picture. */
  function sendGif(url: string) {
    const replyTo = useReplying.getState().byChannel[channel.id] ?? null;
    const kept = handOver(outbox, { channelId: channel.id, content: url, replyTo, attachments: [] });
    if (kept) useReplying.getState().stop(channel.id);
  }
  const why = obstacle && reasons[obstacle];
  return { submit, sendGif, why, problem: obstacle === "files" && met === obstacle ? why : undefined };
}

interface SendProps {
  channelId: string;
  isWaiting: boolean;
  /** Why the message cannot be sent now. */
  why: string | undefined;
  onSend(): void;
}

function SendButton({ channelId, isWaiting, why, onSend }: SendProps) {
  const { composer: words } = useWords();
  if (isWaiting)
    return <IconButton label={words.waitNoLonger} icon={Square} onClick={() => stopWaiting(channelId)} />;
  return (
    <span className={why === undefined ? styles.ready : undefined}>
      <IconButton label={words.send} icon={ArrowUp} disabledBecause={why} onClick={onSend} />
    </span>
  );
}

function AttachButton({ onFiles }: { onFiles(files: readonly File[]): void }) {
  const { composer: words } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={words.attach} icon={Plus} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Lets the same file be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}

/** The length is shown once no more than this many characters remain. */
const nearlyMost = 200;

interface StandingProps {
  text: string;
  note: string | undefined;
  /** The reason why the message was kept back when its writer pressed Enter; the announcer has said it. */
  problem: string | undefined;
}

/** The reason why the message cannot be sent, or how close it is to the limit. */
function Standing({ text, note, problem }: StandingProps) {
  const { composer: words } = useWords();
  const most = useInstance()?.limits.message_max ?? limits.message_max;
  const length = lengthOf(text);
  const isNear = length >= most - nearlyMost;
  const isOver = length > most;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said when it becomes so, not with each letter.
  useEffect(() => {
    if (isNear) announce(isOver ? words.tooLong(length - most) : words.left(most - length));
  }, [isNear, isOver]);
  if (problem !== undefined) return <span className={classNames(styles.note, styles.over)}>{problem}</span>;
  if (isNear)
    return (
      <span className={classNames(styles.count, isOver && styles.over)}>{words.counted(length, most)}</span>
    );
  return (
    <span role="status" className={styles.note}>
      {note}
    </span>
  );
}
