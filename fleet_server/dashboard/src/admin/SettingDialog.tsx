import { Button, Group, NumberInput, PasswordInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { DurationInput } from "~/components/DurationInput";
import { ErrorText } from "~/components/States";
import { fieldErrors } from "~/components/fieldErrors";
import { changeSettings, settingsQuery, type Setting } from "~/api/server";
import { DraftNote } from "~/drafts/DraftNote";
import { useDraft } from "~/drafts/useDraft";
import { FormDialog, useForm } from "~/drafts/FormDialog";
import { isKey, isPair } from "~/format/labels";
import { rounded } from "~/format/numbers";
import { bounds, validationError, formatValue, inputUnit, type Edit } from "./settings";

type Value = string | number;

/** Dialogs to change the settings. */
export function SettingDialogs({ settings }: { settings: readonly Setting[] }) {
  const { form } = useForm();
  const setting = settings.find(({ name }) => name === form);
  if (!setting?.edit || setting.edit.pinned) return null;
  const { edit } = setting;
  return (
    <FormDialog key={setting.name} name={setting.name} title={setting.title}>
      {(close) => <Form setting={setting} edit={edit} onClose={close} />}
    </FormDialog>
  );
}

function Form({ setting, edit, onClose }: { setting: Setting; edit: Edit; onClose: () => void }) {
  const client = useQueryClient();
  const drafted = useDraft<{ value: Value }>(
    "setting",
    () => ({ value: edit.kind === "secret" || typeof setting.value === "boolean" ? "" : setting.value }),
    { of: setting.name, secret: edit.kind === "secret" ? ["value"] : [] },
  );
  const { value } = drafted.value;
  const end = () => {
    drafted.discard();
    onClose();
  };
  const save = useMutation({
    mutationFn: (next: Value | null) => changeSettings({ [setting.name]: next }),
    onSuccess: (fresh) => {
      client.setQueryData(settingsQuery.queryKey, fresh);
      void client.invalidateQueries({ queryKey: ["templates"] });
      notifications.show({ message: `${setting.title}: saved`, color: "teal" });
      end();
    },
  });
  const { at, rest } = fieldErrors(save.error, { value: ["/values", `/${setting.name}`] });
  const fault = (typeof value === "number" && validationError(setting, value)) || "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!fault) save.mutate(value);
      }}
    >
      <DraftNote draft={drafted} what="the setting" />
      <Stack>
        <Field
          setting={setting}
          edit={edit}
          value={value}
          onChange={(next) => drafted.change({ value: next })}
          fault={fault || at.value || ""}
        />
        <ErrorText error={rest} />
        <Group justify="space-between">
          {edit.changed_at !== null ? (
            <Button variant="subtle" px={4} onClick={() => save.mutate(null)} disabled={save.isPending}>
              Reset to {formatValue(setting, edit.default)}
            </Button>
          ) : (
            <span />
          )}
          <Group gap="xs">
            <Button variant="default" onClick={end}>
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
    const description = `${bounds(setting)}${byDefault}`;
    if (setting.unit === "s")
      return (
        <DurationInput label={label} description={description} error={fault} value={value} onChange={onChange} data-autofocus />
      );
    return (
      <NumberInput
        label={label}
        description={description}
        error={fault}
        value={rounded(value / size)}
        suffix={name}
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
          error={fault}
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
          fault={fault}
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
          fault={fault}
          accepts={isKey}
          onChange={onChange}
        />
      );
    case "secret":
      return (
        <PasswordInput
          label={label}
          error={fault}
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
          error={fault}
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
  fault: string;
  accepts: (text: string) => boolean;
  onChange: (value: string) => void;
}

function Labels({ label, description, value, fault, accepts, onChange }: LabelsProps) {
  const pairs = value.split(",").flatMap((pair) => pair.trim() || []);
  return (
    <TagsInput
      label={label}
      error={fault}
      description={description}
      value={pairs}
      onChange={(next) => onChange(next.filter(accepts).join(", "))}
      clearable
      clearButtonProps={{ "aria-label": "Clear labels" }}
      data-autofocus
    />
  );
}
