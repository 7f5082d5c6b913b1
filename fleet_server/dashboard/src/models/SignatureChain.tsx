import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trustQuery } from "~/api/server";
import type { ModelDetail } from "~/api/types";
import { useSecond } from "~/components/Ago";
import { Digest } from "~/components/Digest";
import { Tag } from "~/components/Tag";
import { many } from "~/format/numbers";
import { span } from "~/format/time";
import classes from "./SignatureChain.module.css";

/** From the package's files up to the root key that a device received at enrollment. */
export function SignatureChain({ model }: { model: ModelDetail }) {
  const { data } = useQuery(trustQuery);
  const now = useSecond();
  if (!data) return null;
  const isUnsigned = data.waiting.some(({ digest }) => digest === model.digest);
  const role = (name: string) => data.roles.find((each) => each.role === name);
  const [targets, root] = [role("targets"), role("root")];
  const until = (at: number | undefined) =>
    at === undefined ? "unknown" : at > now ? `expires in ${span(at - now)}` : "expired";
  const keys = (ids: readonly string[] | undefined) => ids?.map((id) => <Digest key={id} value={id} />) ?? "–";
  return (
    <>
      <Tag tone={isUnsigned ? "warn" : "ok"} text={isUnsigned ? "Not signed" : "Signed"} />
      <ol className={classes.chain}>
        <li>
          <b>{many(model.files.length, "file")}</b>
          <span>SHA-256 listed in the descriptor</span>
        </li>
        <li>
          <b>
            Descriptor <Digest value={model.digest} />
          </b>
          <span>
            {isUnsigned
              ? "Not signed; devices reject it"
              : `Listed as ${model.name}/${model.version} with this digest and epoch ${model.epoch}`}
          </span>
        </li>
        <li data-open={isUnsigned}>
          <b>
            Targets, version {targets?.version ?? "?"} {keys(targets?.key_ids)}
          </b>
          <span>
            {targets?.threshold ?? "?"} of {many(targets?.key_ids.length ?? 0, "key")},{" "}
            {targets?.online ? "key on this server" : "offline key"}, {until(targets?.expires_at)}
          </span>
        </li>
        <li>
          <b>
            Root, version {root?.version ?? "?"} {keys(root?.key_ids)}
          </b>
          <span>Installed on devices at enrollment; {until(root?.expires_at)}</span>
        </li>
      </ol>
      {isUnsigned && (
        <Text fz="sm" c="dimmed">
          To sign it, run <span className="mono">edgefleet sign FOLDER --key targets.pem</span>
        </Text>
      )}
    </>
  );
}
