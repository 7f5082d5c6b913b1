import { Button, Group, List, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorText } from "./States";

/** An action with its consequences. `act` gets the reason entered for `why`, or an empty string. */
export interface Confirmation<Result = unknown> {
  title: string;
  lines: readonly string[];
  yes: string;
  no?: string;
  /** Destructive: the button is red. */
  isDestructive?: boolean;
  why?: { label: string; help?: string; placeholder?: string };
  /** Text that must be typed first, for an action that cannot be undone. */
  typed?: string;
  act: (why: string) => Promise<Result>;
  done?: (result: Result) => unknown;
}

/** Asks for confirmation and lists the consequences. Open while `question` is set. */
export function ConfirmDialog<Result>({ question, onClose }: { question: Confirmation<Result> | null; onClose: () => void }) {
  return (
    <Modal stackId="question" opened={question !== null} onClose={onClose} title={question && <b>{question.title}</b>}>
      {question && <ConfirmForm key={question.title} question={question} onClose={onClose} />}
    </Modal>
  );
}

function ConfirmForm<Result>({ question, onClose }: { question: Confirmation<Result>; onClose: () => void }) {
  const { lines, yes, no = "Cancel", isDestructive = false, why, typed } = question;
  const [reason, setReason] = useState("");
  const [text, setText] = useState("");
  const act = useMutation({
    mutationFn: () => question.act(reason.trim()),
    onSuccess: async (result) => {
      await question.done?.(result);
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation(); // the question may be about a form that it is part of
        act.mutate();
      }}
    >
      <Stack>
        {lines.length === 1 ? (
          <Text fz="sm">{lines[0]}</Text>
        ) : (
          <List fz="sm" spacing={6}>
            {lines.map((line) => (
              <List.Item key={line}>{line}</List.Item>
            ))}
          </List>
        )}
        {why && (
          <TextInput
            label={why.label}
            description={why.help}
            placeholder={why.placeholder}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
        )}
        {typed !== undefined && (
          <TextInput
            label="Type the device ID to confirm"
            description={
              <Text span className="mono" fz="xs">
                {typed}
              </Text>
            }
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <ErrorText error={act.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {no}
          </Button>
          <Button
            type="submit"
            loading={act.isPending}
            disabled={typed !== undefined && text.trim() !== typed}
            color={isDestructive ? "red.8" : undefined}
          >
            {yes}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
