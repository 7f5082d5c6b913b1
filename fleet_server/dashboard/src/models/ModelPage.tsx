import { Badge, Code, Grid, Group, Select, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ForRole } from "~/components/role";
import { modelQuery, modelsQuery } from "~/api/queries";
import type { ModelDetail } from "~/api/types";
import { Ago } from "~/components/Ago";
import { ButtonLink } from "~/components/links";
import { PageHead } from "~/components/PageHead";
import { Panel } from "~/components/Panel";
import { Digest } from "~/components/Digest";
import { Facts, Fault, Loading } from "~/components/States";
import { Tag } from "~/components/Tag";
import { bytes, capital, count, many } from "~/format/numbers";
import { ROLLOUT_STATE } from "~/format/rollouts";
import { CardTable } from "./CardTable";
import { CompareTable } from "./CompareTable";
import { CoverageMatrix } from "./CoverageMatrix";
import { FieldTable } from "./FieldTable";
import { FilesTable } from "./FilesTable";
import { SignatureChain } from "./SignatureChain";
import { VariantsTable } from "./VariantsTable";

const route = getRouteApi("/models/$name/$version");

export function ModelPage() {
  const { name, version } = route.useParams();
  const { against } = route.useSearch();
  const { data: model, error, refetch } = useQuery(modelQuery(name, version));
  if (error && !model) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!model) return <Loading rows={8} />;
  return (
    <>
      <ModelHead model={model} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="md">
            {against && against !== model.version && (
              <Panel flush title={`Comparison with ${against}`}>
                <CompareTable model={model} against={against} />
              </Panel>
            )}
            <Panel flush title="Variants" note="One build per hardware type">
              <VariantsTable variants={model.variants} />
            </Panel>
            <Panel flush title="Coverage" note="Variant by device profile">
              <CoverageMatrix model={model} />
            </Panel>
            <Panel flush title="Performance by profile" note="Field metrics and benchmarks">
              <FieldTable model={model} />
            </Panel>
            {Object.keys(model.card).length > 0 && (
              <Panel flush title="Model card" note="Measured before release">
                <CardTable card={model.card} />
              </Panel>
            )}
            <Panel flush title="Files" note={`${many(model.files.length, "file")}, ${bytes(model.length_bytes)}`}>
              <FilesTable files={model.files} />
            </Panel>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <Stack gap="md">
            <Panel title="Deployment">
              <WhereItRuns model={model} />
            </Panel>
            <Panel title="Signature chain">
              <SignatureChain model={model} />
            </Panel>
            <Panel title="Package">
              <Facts
                rows={[
                  ["Digest", <Digest key="digest" value={model.digest} />],
                  ["Pushed", <Ago key="pushed" at={model.created_at} />],
                  ["License", model.licence || "Not specified"],
                  ["Epoch", model.epoch],
                  [
                    "Golden samples",
                    model.golden_count > 0
                      ? `${model.golden_count}, compared on every device`
                      : "None; results cannot be verified",
                  ],
                  ["Head", model.head.family],
                  ["Requires", (model.requires ?? []).map((name) => name.replace(":", " ")).join(", ") || "–"],
                ]}
              />
              {model.labels.length > 0 && (
                <Group gap={4} mt="sm">
                  {model.labels.slice(0, 24).map((label) => (
                    <Badge key={label} variant="default" tt="none" fw={450}>
                      {label}
                    </Badge>
                  ))}
                  {model.labels.length > 24 && <Text fz="xs">and {model.labels.length - 24} more</Text>}
                </Group>
              )}
            </Panel>
            {Object.keys(model.provenance).length > 0 && (
              <Panel title="Provenance">
                <Facts
                  rows={Object.entries(model.provenance).map(
                    ([key, value]) =>
                      [
                        capital(key.replaceAll("_", " ")),
                        typeof value === "object" ? <Code key={key}>{JSON.stringify(value)}</Code> : String(value),
                      ] as const,
                  )}
                />
              </Panel>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

function ModelHead({ model }: { model: ModelDetail }) {
  const navigate = route.useNavigate();
  const { data } = useQuery(modelsQuery);
  const { against } = route.useSearch();
  const versions = data?.items.find((row) => row.name === model.name)?.versions.map((row) => row.version) ?? [model.version];
  return (
    <PageHead
      title={`${model.title || model.name} ${model.version}`}
      trail={[{ text: "Models", to: "/models" }]}
      heading={
        <Badge variant="default" tt="none" fw={540}>
          {model.task}
        </Badge>
      }
      under={
        <Text fz="sm" maw={760}>
          {model.description || <span className="mono">{model.name}</span>}
        </Text>
      }
      actions={
        <>
          <Select
            aria-label="Version"
            data={versions}
            value={model.version}
            onChange={(version) =>
              version &&
              void navigate({ to: "/models/$name/$version", params: { name: model.name, version }, search: (old) => old })
            }
            allowDeselect={false}
            w={140}
          />
          {versions.length > 1 && (
            <Select
              aria-label="Compare with"
              placeholder="Compare with…"
              data={versions.filter((version) => version !== model.version)}
              value={against && against !== model.version ? against : null}
              onChange={(version) =>
                void navigate({ search: { against: version ?? undefined }, replace: true, resetScroll: false })
              }
              clearable
              clearButtonProps={{ "aria-label": "Stop comparing" }}
              w={160}
            />
          )}
          <ForRole role="operator">
            <ButtonLink to="/rollouts/new" search={{ package: model.name, version: model.version }}>
              Roll out
            </ButtonLink>
          </ForRole>
        </>
      }
    />
  );
}

function WhereItRuns({ model }: { model: ModelDetail }) {
  return (
    <>
      {model.running_on > 0 ? (
        <Link to="/" search={{ package: model.name, version: model.version }} className="link">
          Running on {many(model.running_on, "device")}
        </Link>
      ) : (
        <Text fz="sm" c="dimmed">
          Not running on any device
        </Text>
      )}
      {model.rollouts.length > 0 && (
        <Table mt="sm" fz="sm" verticalSpacing={6} aria-label="Rollouts of this version">
          <Table.Tbody>
            {model.rollouts.map((rollout) => {
              const word = ROLLOUT_STATE[rollout.state as keyof typeof ROLLOUT_STATE];
              return (
                <Table.Tr key={rollout.id}>
                  <Table.Td pl={0}>
                    <Link to="/rollouts/$id" params={{ id: rollout.id }} className="strong-link">
                      {rollout.name || `Rollout ${count(rollout.id)}`}
                    </Link>
                    <Text fz="xs" c="dimmed">
                      <Ago at={rollout.created_at} />
                    </Text>
                  </Table.Td>
                  <Table.Td pr={0} ta="right">
                    <Tag tone={word.tone} text={word.text} />
                  </Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
