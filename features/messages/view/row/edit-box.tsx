// Editing a message in place: Enter saves, Escape cancels, and no typed text is lost.
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { CallError } from "../../../../client/call.ts";
import { limits } from "../../../../protocol/limits.ts";
import { useHeight } from "../../../../web/ui/browser/height.ts";
import { isComposing } from "../../../../web/ui/browser/input-method.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Problem } from "../../../../web/ui/controls/entry.tsx";
import { enterBreaksLine, sends } from "../../../../web/ui/keys/enter-key.ts";
import { isEscape } from "../../../../web/ui/keys/keys.ts";
import { showToast } from "../../../../web/ui/loading/toast.ts";
import { useCopy, useHouse } from "../../../../web/ui/session/house.tsx";
import { useRefusal } from "../../../../web/ui/words/refusal.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { updateMessage } from "../../calls.ts";
import type { Message } from "../../contract.ts";
import { remove } from "../actions/deleting.ts";
import { reasonOf } from "../actions/reason.ts";
import { useRescue } from "../drafting/correction.ts";
import { useEditing } from "../drafting/editing.ts";
import { correctionOf, dropCorrection, keepCorrection } from "../drafting/kept-corrections.ts";
import { spelled } from "../drafting/sending.ts";
import styles from "./edit-box.module.css";

export function EditBox({ message }: { message: Message }) {
  const { messages: words } = useWords();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => correctionOf(message) ?? message.content);
  useRescue(message, text);
  useHeight(field, text);
  const { save, cancel, problem, isBusy } = useSaving(message, field);
  useEffect(() => {
    const box = field.current;
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
    box?.parentElement?.scrollIntoView({ block: "nearest" });
  }, []);
  function onKeyDown(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return;
    if (isEscape(event)) {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    }
    if (event.key !== "Enter" || !sends(event)) return;
    event.preventDefault();
    void save(text);
  }
  const length = [...text.trim()].length;
  return (
    <div className={styles.edit}>
      <textarea
        ref={field}
        data-editing
        aria-label={words.editMessage}
        aria-invalid={problem !== undefined || undefined}
        value={text}
        rows={1}
        onChange={(event) => {
          setText(event.target.value);
          // An unchanged text is no edit, so nothing is lost if its message is deleted.
          if (event.target.value.trim() === message.content) dropCorrection(message);
          else keepCorrection(message, event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <div aria-live="polite">
        {length > limits.message_max && <Problem>{words.tooLong(length, limits.message_max)}</Problem>}
        {problem && <Problem>{problem}</Problem>}
      </div>
      <div className={styles.hint}>
        <span>{enterBreaksLine() ? words.editKeysWithCtrl : words.editKeys}</span>
        <Button kind="quiet" isSmall onClick={cancel}>
          {words.cancel}
        </Button>
        <Button kind="primary" isSmall isBusy={isBusy} onClick={() => void save(text)}>
          {words.save}
        </Button>
      </div>
    </div>
  );
}

function useSaving(message: Message, field: { readonly current: HTMLTextAreaElement | null }) {
  const words = useWords();
  const house = useHouse();
  const userId = useCopy(({ user }) => user.id);
  const opener = useRef(document.activeElement);
  const [error, setError] = useState<CallError>();
  const refusal = useRefusal(error);
  const problem = error?.status === 0 ? words.messages.notSaved : refusal;
  const [isBusy, setBusy] = useState(false);
  function close() {
    const box = field.current?.parentElement;
    const row = box?.closest("article");
    // While a slow answer was waited for, the writer may have gone on elsewhere.
    const isHere = document.activeElement === document.body || box?.contains(document.activeElement);
    dropCorrection(message);
    useEditing.getState().stop();
    if (!isHere) return;
    const before = opener.current;
    const back =
      before instanceof HTMLElement && before.isConnected && before !== document.body ? before : row;
    back?.focus();
  }
  /** The box of this edit may be gone when the answer comes, and another one open: that is not closed. */
  function saved(content: string) {
    if (!field.current) {
      if (correctionOf(message)?.trim() === content) dropCorrection(message);
      return;
    }
    // Text typed meanwhile is not saved yet.
    if (field.current.value.trim() !== content) setBusy(false);
    else close();
  }
  async function save(text: string) {
    const content = text.trim();
    const row = field.current?.closest<HTMLElement>("article");
    if (isBusy || [...content].length > limits.message_max) return;
    if (content === message.content) return close();
    if (content === "" && message.attachments.length === 0) {
      close();
      if (row) remove({ message, userId, house, words, row, isAtOnce: false });
      return;
    }
    setBusy(true);
    setError(undefined);
    try {
      const body = { content: await spelled(content) };
      const edited = updateMessage({ params: { messageID: message.id }, body });
      await house.history.replace(message.channel_id, edited);
      saved(content);
    } catch (thrown) {
      if (!field.current)
        showToast({ text: words.messages.cannotEdit(reasonOf(thrown, words)), isAlert: true });
      setError(CallError.from(thrown));
      setBusy(false);
    }
  }
  return { save, cancel: close, problem, isBusy };
}
