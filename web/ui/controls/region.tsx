// An error boundary: a part of the page that can fail alone, and be rendered again.
import { Component, type ReactNode, useState } from "react";
import { CallError, calls } from "../../../client/call.ts";
import { useWords } from "../words/words.ts";
import { Button } from "./button.tsx";
import styles from "./region.module.css";

interface Props {
  children: ReactNode;
  /** The region is the whole page, so it also offers to reload the page. */
  isWhole?: boolean;
  /** Called on an error, for parts that show nothing or that the error closes. */
  onFault?(fault: unknown): void;
  /** Shown instead of the error message and the button. */
  instead?: ReactNode;
  /** The subject of the part: when it changes after an error, the part is rendered again. */
  about?: unknown;
}

interface State {
  fault: { is: unknown } | undefined;
}

/** A class, because React supports error boundaries only as classes. */
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

/** True if the error is a script or style that failed to load: offline, or replaced by a newer version. */
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
  // React loads such a part only once.
  const isOnlyByPage = isNotLoaded(of);
  // Most errors are caused by the server's last response.
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
