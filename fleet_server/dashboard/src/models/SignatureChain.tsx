import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { trustQuery } from "~/api/server";
import type { ModelDetail } from "~/api/types";
import { useSecond } from "~/components/Ago";
import { Digest } from "~/components/States";
import { Tag } from "~/components/Tag";
import { many } from "~/format/numbers";
import { span } from "~/format/time";
import classes from "./SignatureChain.module.css";

/** From the bytes of the package up to the key that a device was given when it enrolled. */
export function SignatureChain({ model }: { model: ModelDetail }) {
  const { data } = useQuery(trustQuery);
  const now = useSecond();
  if (!data) return null;
  const waits = data.waiting.some(({ digest }) => digest === model.digest);
  const role = (name: string) => data.roles.find((each) => each.role === name);
  const [targets, root] = [role("targets"), role("root")];
  const until = (at: number | undefined) => (at === undefined ? "unknown" : at > now ? `for another ${span(at - now)}` : "has ended");
  const keys = (ids: readonly string[] | undefined) => ids?.map((id) => <Digest key={id} value={id} />) ?? "–";
  return (
    <>
      <Tag tone={waits ? "warn" : "ok"} text={waits ? "Not signed" : "Signed"} />
      <ol className={classes.chain}>
        <li>
          <b>{many(model.files.length, "file")}</b>
          <span>each named by its SHA-256 in the descriptor</span>
        </li>
        <li>
          <b>
            Descriptor <Digest value={model.digest} />
          </b>
          <span>{waits ? "in no signed list: devices would refuse it" : `listed as ${model.name}/${model.version} with this digest and epoch ${model.epoch}`}</span>
        </li>
        <li data-open={waits}>
          <b>
            Targets, version {targets?.version ?? "?"} {keys(targets?.key_ids)}
          </b>
          <span>
            {targets?.threshold ?? "?"} of {many(targets?.key_ids.length ?? 0, "key")}, {targets?.online ? "on this server" : "kept elsewhere"}, {until(targets?.expires_at)}
          </span>
        </li>
        <li>
          <b>
            Root, version {root?.version ?? "?"} {keys(root?.key_ids)}
          </b>
          <span>what a device is given when it enrols; {until(root?.expires_at)}</span>
        </li>
      </ol>
      {waits && (
        <Text fz="sm" c="dimmed">
          Sign it: <span className="mono">edgefleet sign FOLDER --key targets.pem</span>
        </Text>
      )}
    </>
  );
}
