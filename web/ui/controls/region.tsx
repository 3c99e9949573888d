// A part of the page that can fail alone: the rest stays, and it can be loaded again.
import { Component, type ReactNode, useState } from "react";
import { CallError, calls } from "../../../client/call.ts";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import styles from "./region.module.css";

interface Props {
  children: ReactNode;
  /** It is the whole page, which can be loaded again as well. */
  isWhole?: boolean;
  /** Hears of the fault in place of the reader: of what shows nothing, or is closed by it. */
  onFault?(fault: unknown): void;
  /** Drawn in place of the sentence and the button. */
  instead?: ReactNode;
  /** What the part is about: it is drawn anew when that is something else. */
  about?: unknown;
}

interface State {
  fault: { is: unknown } | undefined;
}

/** React knows of faults only by a class. */
export class Region extends Component<Props, State> {
  override state: State = { fault: undefined };

  static getDerivedStateFromError(fault: unknown): State {
    return { fault: { is: fault } };
  }

  override componentDidCatch(fault: unknown): void {
    this.props.onFault?.(fault);
  }

  override componentDidUpdate({ about }: Props): void {
    if (this.state.fault && about !== this.props.about) this.setState({ fault: undefined });
  }

  override render(): ReactNode {
    const { children, instead = null, isWhole = false, onFault } = this.props;
    const { fault } = this.state;
    if (!fault) return children;
    if (onFault || instead) return instead;
    return <Fault of={fault.is} isWhole={isWhole} onRetry={() => this.setState({ fault: undefined })} />;
  }
}

/** Whether a part of the page's program did not come: the network is away, or a newer version has taken its place. */
export function isNotLoaded(fault: unknown): boolean {
  return (
    fault instanceof Error &&
    /dynamically imported module|importing a module script|preload css/i.test(fault.message)
  );
}

interface FaultProps {
  of: unknown;
  isWhole: boolean;
  onRetry(): void;
}

function Fault({ of, isWhole, onRetry }: FaultProps) {
  const { parts: words } = useWords();
  // React asks for such a part once only.
  const isOnlyByPage = isNotLoaded(of);
  // What breaks mostly does so over what the server said last.
  const [requestId] = useState(of instanceof CallError ? of.requestId : calls.lastRequestId);
  return (
    <div role="alert" className={styles.fault}>
      <p>{isOnlyByPage ? words.notLoaded : words.fault}</p>
      {requestId && <code>{requestId}</code>}
      <div className={styles.actions}>
        {!isOnlyByPage && <Button onClick={onRetry}>{words.reloadPart}</Button>}
        {(isWhole || isOnlyByPage) && <Button onClick={() => location.reload()}>{words.reloadPage}</Button>}
      </div>
    </div>
  );
}
