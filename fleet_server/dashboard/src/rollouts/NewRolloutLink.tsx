import { ForRole } from "~/components/role";
import { ButtonLink } from "~/components/links";

/** Link to the rollout wizard, for operators. */
export function NewRolloutLink() {
  return (
    <ForRole role="operator">
      <ButtonLink to="/rollouts/new">New rollout</ButtonLink>
    </ForRole>
  );
}
