// Buttons with text, and buttons with an icon only, which need a label.
import type { LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classNames } from "../browser/class-names.ts";
import styles from "./button.module.css";
import { Icon } from "./icon.tsx";

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className" | "disabled">;

interface Shared extends Native {
  /** The reason why the button is disabled; it stays focusable, and shows the reason. */
  disabledBecause?: string | undefined;
  ref?: Ref<HTMLButtonElement>;
}

interface ButtonProps extends Shared {
  kind?: "primary" | "second" | "quiet" | "danger" | "dangerFilled";
  isSmall?: boolean;
  isWide?: boolean;
  /** Its action is running: the button keeps its width and ignores presses. */
  isBusy?: boolean;
  icon?: LucideIcon;
  children: ReactNode;
}

export function Button({
  kind = "second",
  isSmall = false,
  isWide = false,
  isBusy = false,
  icon,
  children,
  disabledBecause,
  ...rest
}: ButtonProps) {
  const isOff = disabledBecause !== undefined || isBusy;
  return (
    <button
      type="button"
      {...rest}
      {...(isOff && { onClick: refuse, "aria-disabled": true })}
      aria-busy={isBusy || undefined}
      title={disabledBecause ?? rest.title}
      className={classNames(
        styles.button,
        styles[kind],
        isSmall && styles.small,
        isWide && styles.wide,
        isBusy && styles.busy,
      )}
    >
      {icon && <Icon of={icon} size={isSmall ? 16 : 18} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends Shared {
  label: string;
  icon: LucideIcon;
  isPressed?: boolean;
  /** Its subject is off, such as a muted microphone. */
  isOff?: boolean;
}

export function IconButton({ label, icon, isPressed, isOff, disabledBecause, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(disabledBecause !== undefined && { onClick: refuse, "aria-disabled": true })}
      aria-label={label}
      aria-pressed={isPressed}
      title={disabledBecause ?? label}
      className={classNames(styles.iconButton, isOff && styles.off)}
    >
      <Icon of={icon} />
    </button>
  );
}

/** Prevents a disabled button from submitting its form. */
function refuse(event: { preventDefault(): void }): void {
  event.preventDefault();
}
