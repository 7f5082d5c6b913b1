import { Button, Group, Modal, NumberInput, PasswordInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ErrorText } from "~/components/States";
import { changeSettings, settingsQuery, type Setting } from "~/api/server";
import { isKey, isPair } from "~/format/labels";
import { bounds, validationError, formatValue, inputUnit, type Edit } from "./settings";

type Value = string | number;

/** Dialog to change a setting; open while `setting` is set. */
export function SettingDialog({ setting, onClose }: { setting: Setting | null; onClose: () => void }) {
  return (
    <Modal opened={setting !== null} onClose={onClose} title={setting && <b>{setting.title}</b>}>
      {setting?.edit && <Form key={setting.name} setting={setting} edit={setting.edit} onClose={onClose} />}
    </Modal>
  );
}

function Form({ setting, edit, onClose }: { setting: Setting; edit: Edit; onClose: () => void }) {
  const client = useQueryClient();
  const [value, setValue] = useState<Value>(edit.kind === "secret" || typeof setting.value === "boolean" ? "" : setting.value);
  const save = useMutation({
    mutationFn: (next: Value | null) => changeSettings({ [setting.name]: next }),
    onSuccess: (fresh) => {
      client.setQueryData(settingsQuery.queryKey, fresh);
      void client.invalidateQueries({ queryKey: ["templates"] });
      notifications.show({ message: `${setting.title}: saved`, color: "teal" });
      onClose();
    },
  });
  const fault = typeof value === "number" ? validationError(setting, value) : "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!fault) save.mutate(value);
      }}
    >
      <Stack>
        <Field setting={setting} edit={edit} value={value} onChange={setValue} fault={fault} />
        <ErrorText error={save.error} />
        <Group justify="space-between">
          {edit.changed_at !== null ? (
            <Button variant="subtle" px={4} onClick={() => save.mutate(null)} disabled={save.isPending}>
              Reset to {formatValue(setting, edit.default)}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={Boolean(fault) || value === setting.value}>
              Save
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

interface FieldProps {
  setting: Setting;
  edit: Edit;
  value: Value;
  onChange: (value: Value) => void;
  fault: string;
}

function Field({ setting, edit, value, onChange, fault }: FieldProps) {
  const label = setting.title;
  if (typeof value === "number") {
    const { size, name } = inputUnit(setting);
    const byDefault = edit.changed_at === null ? "" : `; default: ${formatValue(setting, edit.default)}`;
    return (
      <NumberInput
        label={label}
        description={`${bounds(setting)}${byDefault}`}
        error={fault}
        value={Number((value / size).toPrecision(12))}
        suffix={name}
        thousandSeparator=" "
        allowDecimal={edit.kind === "number"}
        allowNegative={false}
        onChange={(next) => typeof next === "number" && onChange(next * size)}
        data-autofocus
      />
    );
  }
  switch (edit.kind) {
    case "choice":
      return (
        <Select
          label={label}
          data={edit.choices.map((choice) => ({ value: choice, label: formatValue(setting, choice) }))}
          value={value}
          onChange={(next) => next && onChange(next)}
          allowDeselect={false}
        />
      );
    case "labels":
      return (
        <Labels
          label={label}
          description="Devices with any of these labels, e.g. env=production; press Enter after each. Empty = no approval required"
          value={value}
          accepts={isPair}
          onChange={onChange}
        />
      );
    case "keys":
      return (
        <Labels
          label={label}
          description="Keys of labels, e.g. site; press Enter after each. A device with such a label joins the groups and rollouts that select by it. Empty = labels that devices report select nothing"
          value={value}
          accepts={isKey}
          onChange={onChange}
        />
      );
    case "secret":
      return (
        <PasswordInput
          label={label}
          description="smtp://host:25, smtp+starttls://user:password@host:587 or smtps://host:465. Empty = none. Not shown again after saving"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autoComplete="off"
          data-autofocus
        />
      );
    default:
      return (
        <TextInput
          label={label}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          maxLength={250}
          data-autofocus
        />
      );
  }
}

interface LabelsProps {
  label: string;
  description: string;
  value: string;
  accepts: (text: string) => boolean;
  onChange: (value: string) => void;
}

function Labels({ label, description, value, accepts, onChange }: LabelsProps) {
  const pairs = value.split(",").flatMap((pair) => pair.trim() || []);
  return (
    <TagsInput
      label={label}
      description={description}
      value={pairs}
      onChange={(next) => onChange(next.filter(accepts).join(", "))}
      clearable
      clearButtonProps={{ "aria-label": "Clear labels" }}
      data-autofocus
    />
  );
}
