import { Modal } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, type ReactNode } from "react";

/** The form that is open as a dialog: the address names it, so that it is open again after a reload, and Back closes it. */
export function useForm(): { form: string | undefined; open: (name: string) => void; close: () => void } {
  const { form } = useSearch({ strict: false });
  const navigate = useNavigate();
  const open = useCallback(
    (name: string) => void navigate({ to: ".", search: (old) => ({ ...old, form: name }), resetScroll: false }),
    [navigate],
  );
  const close = useCallback(
    () => void navigate({ to: ".", search: (old) => ({ ...old, form: undefined }), resetScroll: false, replace: true }),
    [navigate],
  );
  return { form, open, close };
}

interface FormDialogProps {
  /** Its name in the address. */
  name: string;
  title: string;
  size?: string;
  children: (close: () => void) => ReactNode;
}

/** A form in a dialog; open while the address names it. */
export function FormDialog({ name, title, size, children }: FormDialogProps) {
  const { form, close } = useForm();
  const isOpen = form === name;
  return (
    <Modal.Stack>
      <Modal stackId="form" opened={isOpen} onClose={close} title={<b>{title}</b>} size={size}>
        {isOpen && children(close)}
      </Modal>
    </Modal.Stack>
  );
}
