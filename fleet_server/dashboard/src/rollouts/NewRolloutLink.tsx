import { ForRole } from "~/components/role";
import { ButtonLink } from "~/components/links";

/** To the wizard, for those who may start what it makes. */
export function NewRolloutLink() {
  return (
    <ForRole role="operator">
      <ButtonLink to="/rollouts/new">New rollout</ButtonLink>
    </ForRole>
  );
}
