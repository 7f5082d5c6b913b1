import { Link } from "@tanstack/react-router";
import { pipelineOf } from "~/format/devices";

/** Link to the page of a model version or a pipeline version: both are packages. */
export function PackageLink({ name, version, className = "strong-link" }: { name: string; version: string; className?: string }) {
  const pipeline = pipelineOf(name);
  if (pipeline) {
    return (
      <Link to="/pipelines/$name" params={{ name: pipeline }} search={{ version }} className={className}>
        {pipeline} <b>{version}</b>
      </Link>
    );
  }
  return (
    <Link to="/models/$name/$version" params={{ name, version }} className={className}>
      {name} <b>{version}</b>
    </Link>
  );
}
