// The text field of the composer: how keys, pastes and suggestions change its text.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from "react";
import { useHeight } from "../../../../web/ui/browser/height.ts";
import { isComposing } from "../../../../web/ui/browser/input-method.ts";
import { sends } from "../../../../web/ui/keys/enter-key.ts";
import { isEscape } from "../../../../web/ui/keys/keys.ts";
import { afterwards, later } from "../../../../web/ui/loading/later.tsx";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../../channels/state.ts";
import { signed } from "../../../channels/view/signed.ts";
import { useTypingSignal } from "../../../typing/view/signal.ts";
import { useDrafts } from "../drafting/drafts.ts";
import { useEditing } from "../drafting/editing.ts";
import { useReplying } from "../drafting/replying.ts";
import { stopWaiting, useIsWaiting } from "../drafting/sending.ts";
import { useCompletion } from "./completion.ts";
import { replaceText } from "./insert.ts";
import { brokenLine } from "./lists.ts";

/** Until it is loaded, pasting is left to the browser. */
const pasting = afterwards(() => import("./paste.ts"));
/** Until it is loaded, a short code stays as typed until the message is sent. */
const codes = afterwards(() => import("./short-code.ts"));
const Suggestions = later(async () => (await import("./suggestions.tsx")).Suggestions);

interface Props {
  channel: OwnChannel;
  text: string;
  onSubmit(): void;
  onFiles(files: readonly File[]): void;
  ref: Ref<HTMLTextAreaElement | null>;
}

export function TextArea({ channel, text, onSubmit, onFiles, ref }: Props) {
  const { composer: words } = useWords();
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement);
  const drafts = useDrafts();
  const isWaiting = useIsWaiting(channel.id);
  const { wrote, sent } = useTypingSignal(channel.id);
  const completion = useCompletion(area, text);
  const { list, asked } = completion;
  const submit = () => {
    onSubmit();
    sent();
  };
  const onKeyDown = useKeys(channel, text, submit);
  useHeight(area, text);
  const name = words.write(signed(channel));
  return (
    <>
      <textarea
        ref={area}
        rows={1}
        value={text}
        readOnly={isWaiting}
        aria-label={name}
        placeholder={name}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={list?.id}
        aria-activedescendant={list?.active}
        enterKeyHint="send"
        onChange={({ target, nativeEvent }) => {
          drafts.change(channel.id, { text: target.value });
          completion.look();
          if (target.value !== "") wrote();
          if ((nativeEvent as InputEvent).data === ":") void codes.known()?.putShortCode(target);
        }}
        onSelect={completion.look}
        onBlur={completion.leave}
        onKeyDown={(event) => {
          if (!isComposing(event.nativeEvent) && !completion.onKey(event)) onKeyDown(event);
        }}
        onPaste={(event) => pasteInto(event, onFiles)}
      />
      {asked && <Suggestions channel={channel} {...asked} />}
    </>
  );
}

/** Handles the keys that the suggestion list did not take. */
function useKeys(channel: OwnChannel, text: string, onSubmit: () => void) {
  const isWaiting = useIsWaiting(channel.id);
  const [editLast, awaited] = useEditLast(channel);
  function leave(event: KeyboardEvent): boolean {
    const { byChannel, stop } = useReplying.getState();
    if (isWaiting) stopWaiting(channel.id);
    else if (byChannel[channel.id] !== undefined) stop(channel.id);
    else return false;
    event.stopPropagation();
    return true;
  }
  function up(event: KeyboardEvent): boolean {
    if (text !== "" || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.shiftKey) return focusMessages(event.currentTarget);
    return editLast();
  }
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    awaited.current = undefined;
    const isDone =
      (event.key === "Enter" && enter(event, onSubmit, isWaiting)) ||
      (isEscape(event) && leave(event)) ||
      (event.key === "ArrowUp" && up(event));
    if (isDone) event.preventDefault();
  };
}

/** Edits the last own message. One that is on its way is edited once sent, if no key is pressed until then. */
function useEditLast(channel: OwnChannel) {
  const { outbox } = useHouse();
  const awaited = useRef<string>(undefined);
  const last = useCopy((copy) => {
    const isOwn = ({ author }: { author: { id: string } }) => author.id === copy.user.id;
    const { live, far } = copy.windows.get(channel.id) ?? {};
    // Further up, the row of the last one is not there.
    return far ? undefined : live?.messages.find(isOwn);
  });
  useEffect(() => {
    if (!last || awaited.current !== last.nonce) return;
    awaited.current = undefined;
    if (document.activeElement?.matches("textarea")) useEditing.getState().start(last.id);
  }, [last]);
  function start(): boolean {
    const unsent = outbox.unsent.findLast((each) => each.channelId === channel.id && each.state !== "failed");
    awaited.current = unsent?.nonce;
    if (!unsent && last) useEditing.getState().start(last.id);
    return !!(unsent ?? last);
  }
  return [start, awaited] as const;
}

/** Enter either sends the message or continues a list. */
function enter(event: KeyboardEvent<HTMLTextAreaElement>, onSubmit: () => void, isWaiting: boolean): boolean {
  if (isWaiting) return true;
  if (sends(event)) {
    onSubmit();
    return true;
  }
  const { currentTarget: area } = event;
  const { start, end, text } = brokenLine(area.value, area.selectionStart, area.selectionEnd);
  replaceText(area, start, end, text);
  return true;
}

function focusMessages(composer: Element): boolean {
  const messages = composer.closest("main")?.querySelector<HTMLElement>('article[tabindex="0"]');
  messages?.focus();
  return messages != null;
}

function pasteInto(event: ClipboardEvent<HTMLTextAreaElement>, onFiles: Props["onFiles"]): void {
  const { clipboardData: data, currentTarget: area } = event;
  const plain = data.getData("text/plain");
  const { value, selectionStart: start, selectionEnd: end } = area;
  // Some programs also put a picture of copied text on the clipboard.
  if (data.files.length > 0 && plain === "") onFiles([...data.files]);
  else {
    const [html, editor] = [data.getData("text/html"), data.getData("vscode-editor-data")];
    const text = pasting.known()?.pastedText({ plain, html, editor }, value, start, end);
    if (text === undefined) return;
    replaceText(area, start, end, text);
  }
  event.preventDefault();
}
