// An admin's actions on a person: the menu of a row, and the dialogs that it opens.
import { Award, Ban, Ellipsis, KeyRound, LogOut, ShieldMinus, ShieldPlus, UserCheck } from "lucide-react";
import { useState } from "react";
import { CallError } from "../../../client/call.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Confirm } from "../../../web/ui/overlays/confirm.tsx";
import { MenuButton, type MenuItem } from "../../../web/ui/overlays/menu.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { BadgesOfPerson } from "../../badges/view/badges-of-person.tsx";
import { endSessionsOf, updateAccount } from "../calls.ts";
import type { Account } from "../contract.ts";
import { ResetLinkDialog } from "./reset-link-dialog.tsx";

type Dialog = "badges" | "disable" | "link" | "sign out";

export interface Acting {
  open: { dialog: Dialog; person: Account } | undefined;
  /** The server's refusal, and the id of the person it is about. */
  refused: { id: string; error: CallError } | undefined;
  show(dialog: Dialog, person: Account): void;
  close(): void;
  /** Changes the account and announces that, or shows the refusal beside the person. */
  change(person: Account, wish: Wish, done: string): Promise<void>;
  /** Like `change`, in a dialog that shows the refusal itself. Throws CallError. */
  changeFrom(person: Account, wish: Wish, done: string): Promise<void>;
}

interface Wish {
  disabled?: boolean;
  instance_role?: "admin" | "member";
}

export function useActing(onChange: (after: Account) => void): Acting {
  const [open, setOpen] = useState<Acting["open"]>();
  const [refused, setRefused] = useState<Acting["refused"]>();

  async function changeFrom({ id }: Account, body: Wish, done: string) {
    onChange(await updateAccount({ params: { id }, body }));
    announce(done);
  }

  return {
    open,
    refused,
    show: (dialog, person) => {
      setRefused(undefined);
      setOpen({ dialog, person });
    },
    // The late answer of a dialog that was cancelled closes no other one.
    close: () => setOpen((now) => (now === open ? undefined : now)),
    changeFrom,
    async change(person, wish, done) {
      setRefused(undefined);
      try {
        await changeFrom(person, wish, done);
      } catch (error) {
        setRefused({ id: person.id, error: CallError.from(error) });
      }
    },
  };
}

interface Props {
  person: Account;
  acting: Acting;
}

export function PersonMenu({ person, acting }: Props) {
  const { administration: words } = useWords();
  const me = useCopy(({ user }) => user);
  const isOwner = me.instance_role === "owner";
  const mayAct = person.id !== me.id && (isOwner || person.instance_role === "member");
  const badges: MenuItem = {
    id: "badges",
    label: words.badges,
    icon: Award,
    onChoose: () => acting.show("badges", person),
  };
  const items = mayAct
    ? [
        ...wayIn(person, acting, words),
        ...(isOwner ? [roleItem(person, acting, words)] : []),
        badges,
        ableItem(person, acting, words),
      ]
    : [badges];
  return <MenuButton label={words.moreAbout(person.display_name)} icon={Ellipsis} items={items} />;
}

type ConsoleWords = ReturnType<typeof useWords>["administration"];

function wayIn(person: Account, acting: Acting, words: ConsoleWords): MenuItem[] {
  const signOut: MenuItem = {
    id: "sign out",
    label: words.signOut,
    icon: LogOut,
    onChoose: () => acting.show("sign out", person),
  };
  // A disabled person has no session, and no link works for them.
  if (person.disabled) return [];
  return [
    { id: "link", label: words.makeLink, icon: KeyRound, onChoose: () => acting.show("link", person) },
    signOut,
  ];
}

function roleItem(person: Account, acting: Acting, words: ConsoleWords): MenuItem {
  const { instance_role, display_name: name } = person;
  return instance_role === "admin"
    ? {
        id: "role",
        label: words.takeAdmin,
        icon: ShieldMinus,
        onChoose: () => void acting.change(person, { instance_role: "member" }, words.isMember(name)),
      }
    : {
        id: "role",
        label: words.makeAdmin,
        icon: ShieldPlus,
        onChoose: () => void acting.change(person, { instance_role: "admin" }, words.isAdmin(name)),
      };
}

function ableItem(person: Account, acting: Acting, words: ConsoleWords): MenuItem {
  return person.disabled
    ? {
        id: "enable",
        label: words.enable,
        icon: UserCheck,
        isApart: true,
        onChoose: () => void acting.change(person, { disabled: false }, words.isEnabled(person.display_name)),
      }
    : {
        id: "disable",
        label: words.disable,
        icon: Ban,
        isApart: true,
        isDanger: true,
        onChoose: () => acting.show("disable", person),
      };
}

export function PersonDialogs({ acting }: { acting: Acting }) {
  const { administration: words } = useWords();
  if (!acting.open) return null;
  const { dialog, person } = acting.open;
  const { id, display_name: name } = person;
  if (dialog === "badges") return <BadgesOfPerson id={id} name={name} onClose={acting.close} />;
  if (dialog === "link") return <ResetLinkDialog person={person} onClose={acting.close} />;
  if (dialog === "sign out") {
    return (
      <Confirm
        title={words.signOutTitle(name)}
        button={words.signOutAct(name)}
        onClose={acting.close}
        onConfirm={async () => {
          await endSessionsOf({ params: { id } });
          announce(words.signedOut(name));
        }}
      >
        <p>{words.signOutLead(name)}</p>
      </Confirm>
    );
  }
  return (
    <Confirm
      title={words.disableTitle(name)}
      button={words.disableAct(name)}
      onClose={acting.close}
      onConfirm={() => acting.changeFrom(person, { disabled: true }, words.isDisabled(name))}
    >
      <p>{words.disableLead(name)}</p>
    </Confirm>
  );
}
