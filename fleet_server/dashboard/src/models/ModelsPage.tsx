import { Badge, Group, SimpleGrid, Text } from "@mantine/core";
import IconCube from "@tabler/icons-react/dist/esm/icons/IconCube.mjs";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { modelsQuery } from "~/api/queries";
import type { ModelRow } from "~/api/types";
import { Ago } from "~/components/Ago";
import { PageHead } from "~/components/PageHead";
import { Empty, Fault, Loading } from "~/components/States";
import { bytes, many } from "~/format/numbers";
import classes from "./ModelsPage.module.css";
import { UploadButton } from "./UploadButton";

export function ModelsPage() {
  const { data, error, refetch } = useQuery(modelsQuery);
  return (
    <>
      <PageHead title="Models" under="Packages for rollouts. Versions are immutable" actions={<UploadButton />} />
      {error && !data ? (
        <Fault error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading rows={6} />
      ) : data.items.length === 0 ? (
        <Empty
          icon={IconCube}
          title="No models yet"
          command="edgefleet model push firmware_models/NAME/VERSION"
          action={<UploadButton />}
        >
          A package is a folder with a model.toml and its files. Push a package on the command line, or upload it here as a .tar
          file.
        </Empty>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          {data.items.map((model) => (
            <ModelCard key={model.name} model={model} />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}

function ModelCard({ model }: { model: ModelRow }) {
  const latest = model.versions.find((version) => version.version === model.latest) ?? model.versions[0];
  const running = model.versions.reduce((sum, version) => sum + version.running_on, 0);
  return (
    <section className={classes.card} aria-label={model.title || model.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Link
            to="/models/$name/$version"
            params={{ name: model.name, version: model.latest }}
            className={`strong-link ${classes.title}`}
          >
            {model.title || model.name}
          </Link>
          <Text fz="xs" c="dimmed" className="mono">
            {model.name}
          </Text>
        </div>
        <Badge variant="default" tt="none" fw={540}>
          {model.task}
        </Badge>
      </Group>
      {latest?.description && (
        <Text fz="sm" c="dimmed" mt="xs" lineClamp={2}>
          {latest.description}
        </Text>
      )}
      <div className={classes.versions}>
        {model.versions.slice(0, 5).map((version) => (
          <Link
            key={version.version}
            to="/models/$name/$version"
            params={{ name: version.name, version: version.version }}
            className={classes.version}
          >
            <b>{version.version}</b>
            <span>{many(version.variants.length, "variant")}</span>
            <span className="num">{bytes(version.length_bytes)}</span>
            <span>
              <Ago at={version.created_at} />
            </span>
            <span className="num" style={{ textAlign: "right" }}>
              {version.running_on > 0 ? many(version.running_on, "device") : "–"}
            </span>
          </Link>
        ))}
      </div>
      <Text fz="xs" c="dimmed" mt="sm">
        {many(model.versions.length, "version")} · Running on {many(running, "device")}
      </Text>
    </section>
  );
}
